/* A product of integers by engine.c: reads rows, inputs, outputs (a multiple of 64), whether it is a readout's, x, the integers
   of the weights and a scale for each output, and writes y. */

#include "../../nmt/native/engine.c"
#include <stdio.h>
#include <stdlib.h>

static void *room_of(size_t size, i64 count) {
    void *room = malloc(size * count + 64);
    if (!room || fread(room, size, count, stdin) != (size_t)count) exit(1);
    return room;
}

int main(void) {
    i64 *sizes = room_of(sizeof(i64), 4), rows = sizes[0], inputs = sizes[1], outputs = sizes[2], wide = (inputs + 3) / 4 * 4;
    float *x = room_of(4, rows * inputs);
    i8 *w = room_of(1, outputs * inputs), *packed = calloc(1, outputs * wide);
    float *scale = room_of(4, outputs), *y = malloc(4 * rows * outputs + 64), *maxima = malloc(rows * outputs);
    int *offset = malloc(4 * outputs);
    for (i64 o = 0; o < outputs; o++) {
        offset[o] = 0;
        for (i64 i = 0; i < inputs; i++) {
            offset[o] += 128 * w[o * inputs + i];
            packed[o / PANEL * PANEL * wide + i / GROUP * GROUP * PANEL + o % PANEL * GROUP + i % GROUP] = w[o * inputs + i];
        }
    }
    Matrix m = {packed, scale, offset, 0, inputs, outputs};
    if (sizes[3]) logits(&m, rows, x, inputs, y, outputs, maxima);
    else multiply(&m, rows, x, inputs, y, outputs);
    return fwrite(y, 4, rows * outputs, stdout) != (size_t)(rows * outputs);
}
