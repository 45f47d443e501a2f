/* A search by an engine that is loaded from a file, as a package has it, in a small model of random weights: writes the ids,
   log p and the largest alpha of each word, for either order of the state. */

#include "../../nmt/native/engine.c"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 40, L = 24, N_A = 36, M = 20, K = 192, WORDS = 150, T = 9, LIMIT = 12 };
static unsigned seed = 1;
static void (*pack_)(const Matrix *, i64, i64, const i8 *, const float *, float);

static float drawn(void) { return (int)((seed = seed * 1664525u + 1013904223u) >> 8) / 8388608.0f - 1; }
static float *floats(i64 count) {
    float *room = malloc((count + 64) * sizeof(float));
    for (i64 i = 0; i < count; i++) room[i] = drawn();
    return room;
}

static Matrix matrix(i64 rows, i64 inputs, int integers) {
    i64 outputs = padded(rows), wide = (inputs + 3) / 4 * 4;
    i8 *values = malloc(rows * inputs);
    float *scales = floats(rows), *bias = floats(outputs);
    int *offset = calloc(outputs, sizeof(int));
    for (i64 i = 0; i < rows * inputs; i++) values[i] = (i8)(127 * drawn());
    for (i64 o = 0; o < rows; o++) scales[o] = (2 + scales[o]) / 127;
    for (i64 i = 0; i < rows * inputs; i++) offset[i / inputs] += 128 * values[i];
    for (i64 o = rows; integers && o < outputs; o++) bias[o] = -INF;
    Matrix made = {calloc(outputs * wide, 4), integers ? calloc(outputs, 4) : 0, offset, bias, inputs, outputs};
    pack_(&made, 0, rows, values, scales, 0.15f);
    return made;
}

int main(int count, char **arguments) {
    void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : 0;
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
    i64 (*search_)(Search *, i64) = (i64 (*)(Search *, i64))dlsym(library, "search");
    pack_ = (void (*)(const Matrix *, i64, i64, const i8 *, const float *, float))dlsym(library, "pack");
    for (i64 program = 0; program < 2; program++) {
        Model m = {matrix(2 * N + 2 * L + N_A, N, 0), matrix(N, N, 0), matrix(3 * N + 2 * L, M, 0), matrix(WORDS, L, 1),
                   matrix(3 * N + 2 * L, 2 * N, 0), matrix(N_A, 2 * N, 0), matrix(N, N, 0)};
        for (int d = 0; d < 2; d++) m.W[d] = matrix(3 * N, M, 0), m.U_zr[d] = matrix(2 * N, N, 0), m.U_[d] = matrix(N, N, 0);
        float *v = calloc(padded(N_A), sizeof(float));
        for (i64 a = 0; a < N_A; a++) v[a] = drawn();
        m.v = v, m.E_y = floats(WORDS * M), m.E_x = floats(WORDS * M), m.n = N, m.l = L, m.n_a = N_A, m.m = M, m.K = K;
        m.source_size = m.target_size = WORDS, m.directions = 2, m.attends = 1, m.program = program;
        i64 ids[T] = {5, 17, 149, 3, 3, 80, 41, 9, 0}, out[LIMIT + 1];
        double values[LIMIT + 1], penalties[LIMIT + 3];
        float alpha[(LIMIT + 1) * T];
        for (int i = 0; i < LIMIT + 3; i++) penalties[i] = 1;
        Search s = {&m, ids, 0, 0, penalties, 0, 0, out, values, alpha, T, 5, 6, LIMIT};
        s.watched = s.given_step = -1;
        i64 length;
        while (!(length = search_(&s, 2))) {}
        for (i64 i = 0; i < length; i++) {
            float most = 0;
            for (i64 j = 0; j < T; j++) most = larger(most, alpha[i * T + j]);
            printf("%lld %.9g %.9g\n", out[i], values[i], most);
        }
        if (length < 0) return 2;
    }
    return 0;
}
