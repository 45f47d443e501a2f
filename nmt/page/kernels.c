/* The arithmetic of a step of RNNsearch for the page that translates, in WebAssembly with SIMD: what
 * nmt/page/js/model.js computes in loops, in 32-bit floats, with products of 8-bit weights and inputs of twice 16 bits.
 *
 * .ci/page_kernels.sh builds kernels.wasm of it. No memory is allocated here: nmt/page/js/kernels.js says where
 * everything is.
 */

#include <wasm_simd128.h>

#define PUBLIC(name) __attribute__((export_name(#name)))
#define MOST_ROWS 5 /* of inputs that share a pass over the weights */

static inline float sum_of_floats(v128_t v) {
  return (wasm_f32x4_extract_lane(v, 0) + wasm_f32x4_extract_lane(v, 1)) +
         (wasm_f32x4_extract_lane(v, 2) + wasm_f32x4_extract_lane(v, 3));
}

static inline int sum_of_ints(v128_t v) {
  return wasm_i32x4_extract_lane(v, 0) + wasm_i32x4_extract_lane(v, 1) + wasm_i32x4_extract_lane(v, 2) +
         wasm_i32x4_extract_lane(v, 3);
}

/* e^x for x <= 88; 0 for x < -87: a power of two and a polynomial of the rest (Cephes). */
static inline v128_t exponential(v128_t x) {
  v128_t low = wasm_f32x4_lt(x, wasm_f32x4_const_splat(-87.0f));
  v128_t n = wasm_f32x4_nearest(wasm_f32x4_mul(x, wasm_f32x4_const_splat(1.44269504f)));
  v128_t r = wasm_f32x4_sub(x, wasm_f32x4_mul(n, wasm_f32x4_const_splat(0.693359375f)));
  r = wasm_f32x4_sub(r, wasm_f32x4_mul(n, wasm_f32x4_const_splat(-2.12194440e-4f)));
  v128_t p = wasm_f32x4_const_splat(1.9875691500e-4f);
  p = wasm_f32x4_add(wasm_f32x4_mul(p, r), wasm_f32x4_const_splat(1.3981999507e-3f));
  p = wasm_f32x4_add(wasm_f32x4_mul(p, r), wasm_f32x4_const_splat(8.3334519073e-3f));
  p = wasm_f32x4_add(wasm_f32x4_mul(p, r), wasm_f32x4_const_splat(4.1665795894e-2f));
  p = wasm_f32x4_add(wasm_f32x4_mul(p, r), wasm_f32x4_const_splat(1.6666665459e-1f));
  p = wasm_f32x4_add(wasm_f32x4_mul(p, r), wasm_f32x4_const_splat(5.0000001201e-1f));
  p = wasm_f32x4_add(wasm_f32x4_mul(wasm_f32x4_mul(p, r), r), wasm_f32x4_add(r, wasm_f32x4_const_splat(1.0f)));
  v128_t power = wasm_i32x4_shl(wasm_i32x4_add(wasm_i32x4_trunc_sat_f32x4(n), wasm_i32x4_const_splat(127)), 23);
  return wasm_v128_andnot(wasm_f32x4_mul(p, power), low);
}

/* tanh x = 1 - 2 / (e^2x + 1) */
static inline v128_t tangent(v128_t x) {
  v128_t most = wasm_f32x4_const_splat(10.0f);
  x = wasm_f32x4_max(wasm_f32x4_min(x, most), wasm_f32x4_neg(most));
  v128_t above = wasm_f32x4_add(exponential(wasm_f32x4_add(x, x)), wasm_f32x4_const_splat(1.0f));
  return wasm_f32x4_sub(wasm_f32x4_const_splat(1.0f), wasm_f32x4_div(wasm_f32x4_const_splat(2.0f), above));
}

/* The largest whole number of an input, so that no sum of products with 8-bit weights leaves 32 bits. */
static inline float largest_input(int columns) {
  float most = 2147483647.0f / (128.0f * columns);
  return most < 32767.0f ? __builtin_floorf(most) : 32767.0f;
}

/* Inputs as two whole numbers of 16 bits each, x = scale (high (2 M + 1) + low), M the largest of them, which are as exact
 * as 32-bit floats. x: count * columns; out: count * 2 * columns, in each row the high parts first. */
static void quantise(const float *x, int count, int columns, short *out, float *scales) {
  float largest = largest_input(columns), base = 2 * largest + 1;
  for (int k = 0; k < count; k++, x += columns, out += 2 * columns) {
    float most = 0;
    for (int j = 0; j < columns; j++) {
      float size = __builtin_fabsf(x[j]);
      most = size > most ? size : most;
    }
    scales[k] = most / (largest * base);
    double factor = most > 0 ? (double)largest / most : 0;
    for (int j = 0; j < columns; j++) {
      double scaled = x[j] * factor, high = __builtin_rint(scaled);
      out[j] = (short)high;
      out[columns + j] = (short)__builtin_rint((scaled - high) * base);
    }
  }
}

static inline __attribute__((always_inline)) void rows_together(int together, const signed char *w,
    const float *w_scales, int rows, int columns, const short *x, const float *x_scales, float *y) {
  float base = 2 * largest_input(columns) + 1;
  for (int i = 0; i < rows; i++, w += columns) {
    v128_t sums[2 * MOST_ROWS]; /* of the high and the low parts of each row */
#pragma unroll
    for (int k = 0; k < 2 * together; k++) {
      sums[k] = wasm_i32x4_const_splat(0);
    }
    int j = 0;
    for (; j + 8 <= columns; j += 8) {
      v128_t weights = wasm_i16x8_load8x8(w + j);
#pragma unroll
      for (int k = 0; k < 2 * together; k++) {
        sums[k] = wasm_i32x4_add(sums[k], wasm_i32x4_dot_i16x8(weights, wasm_v128_load(x + k * columns + j)));
      }
    }
#pragma unroll
    for (int k = 0; k < together; k++) {
      int high = sum_of_ints(sums[2 * k]), low = sum_of_ints(sums[2 * k + 1]);
      for (int rest = j; rest < columns; rest++) {
        high += w[rest] * x[2 * k * columns + rest];
        low += w[rest] * x[(2 * k + 1) * columns + rest];
      }
      y[k * rows + i] = ((float)high * base + (float)low) * w_scales[i] * x_scales[k];
    }
  }
}

/* y = x W^T. w: rows * columns, with a scale for each row; x: count * columns; y: count * rows;
 * room: for the inputs as whole numbers and, in x_scales, for a scale of each of their rows. */
PUBLIC(product)
void product(const signed char *w, const float *w_scales, int rows, int columns, const float *x, int count, float *y,
    short *room, float *x_scales) {
  quantise(x, count, columns, room, x_scales);
  while (count > 0) {
    int together = count < MOST_ROWS ? count : MOST_ROWS;
    switch (together) {
      case 1: rows_together(1, w, w_scales, rows, columns, room, x_scales, y); break;
      case 2: rows_together(2, w, w_scales, rows, columns, room, x_scales, y); break;
      case 3: rows_together(3, w, w_scales, rows, columns, room, x_scales, y); break;
      case 4: rows_together(4, w, w_scales, rows, columns, room, x_scales, y); break;
      default: rows_together(5, w, w_scales, rows, columns, room, x_scales, y);
    }
    count -= together, room += 2 * together * columns, x_scales += together, y += together * rows;
  }
}

/* e_ij = v_a^T tanh(W_a s + U_a h_j + b_a), equation 6 and A.1.2. query: W_a s; keys: length * n, the rest of the sum. */
PUBLIC(energies)
void energies(const float *v, const float *query, const float *keys, int length, int n, float *e) {
  for (int j = 0; j < length; j++, keys += n) {
    v128_t sums = wasm_f32x4_const_splat(0);
    int a = 0;
    for (; a + 4 <= n; a += 4) {
      v128_t t = tangent(wasm_f32x4_add(wasm_v128_load(query + a), wasm_v128_load(keys + a)));
      sums = wasm_f32x4_add(sums, wasm_f32x4_mul(wasm_v128_load(v + a), t));
    }
    float sum = sum_of_floats(sums);
    for (; a < n; a++) {
      sum += v[a] * wasm_f32x4_extract_lane(tangent(wasm_f32x4_splat(query[a] + keys[a])), 0);
    }
    e[j] = sum;
  }
}

/* sum_j alpha_j m_j. rows: length * width. */
PUBLIC(mean)
void mean(const float *alpha, const float *rows, int length, int width, float *out) {
  for (int i = 0; i < width; i++) {
    out[i] = 0;
  }
  for (int j = 0; j < length; j++, rows += width) {
    v128_t weight = wasm_f32x4_splat(alpha[j]);
    int i = 0;
    for (; i + 4 <= width; i += 4) {
      v128_t more = wasm_f32x4_mul(weight, wasm_v128_load(rows + i));
      wasm_v128_store(out + i, wasm_f32x4_add(wasm_v128_load(out + i), more));
    }
    for (; i < width; i++) {
      out[i] += alpha[j] * rows[i];
    }
  }
}

/* The natural logarithm of x > 0: from the exponent and the first digits, and by Newton's method. */
static float logarithm(float x) {
  int bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  float y = (float)(bits - 0x3f800000) * (0.69314718f / (1 << 23));
  for (int step = 0; step < 4; step++) {
    y += x * wasm_f32x4_extract_lane(exponential(wasm_f32x4_splat(-y)), 0) - 1.0f;
  }
  return y;
}

/* log softmax of each of count rows of n numbers plus a bias, in place. */
PUBLIC(log_softmax)
void log_softmax(float *x, const float *bias, int count, int n) {
  for (int k = 0; k < count; k++, x += n) {
    float most = -__builtin_inff();
    for (int i = 0; i < n; i++) {
      x[i] += bias[i];
      most = x[i] > most ? x[i] : most;
    }
    v128_t largest = wasm_f32x4_splat(most), four = wasm_f32x4_const_splat(0);
    int i = 0;
    for (; i + 4 <= n; i += 4) {
      four = wasm_f32x4_add(four, exponential(wasm_f32x4_sub(wasm_v128_load(x + i), largest)));
    }
    float sum = sum_of_floats(four);
    for (; i < n; i++) {
      sum += wasm_f32x4_extract_lane(exponential(wasm_f32x4_splat(x[i] - most)), 0);
    }
    float logZ = most + logarithm(sum);
    for (i = 0; i < n; i++) {
      x[i] -= logZ;
    }
  }
}
