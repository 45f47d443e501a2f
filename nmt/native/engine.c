/* One step of a search, and the encoder before it, for a few hypotheses at a time (docs/decisions/0016-native-engine.md);
   and the energies of training, with their gradient.

   No header but the compiler's. Vectors are the compiler's own, as wide as the processor has them. Every row of a product
   is summed over its inputs in one order, so a result depends neither on the rows beside it nor on their number.

   Letters as in nmt/model/__init__.py. A matrix is packed in panels of 64 outputs: all inputs of the first 64 outputs, then
   those of the next; outputs are padded with zeros to whole panels (nmt/model/native_steps.py). Arrays of the caller are
   exactly as large as their shapes say; scratch rows are whole panels with a vector to spare. */

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

typedef unsigned char u8;
typedef signed char i8;
typedef long long i64;

#if defined(__AVX512F__)
#define BYTES 64
#elif defined(__AVX__)
#define BYTES 32
#else
#define BYTES 16
#endif
enum { LANES = BYTES / 4, PANEL = 64, WIDE = BYTES == 64 ? 4 : 2, MOST_ROWS = 6, TOGETHER = 4 * MOST_ROWS };

typedef float vec __attribute__((vector_size(BYTES)));
typedef int ivec __attribute__((vector_size(BYTES)));
typedef float loose __attribute__((vector_size(BYTES), aligned(4), may_alias));
typedef int iloose __attribute__((vector_size(BYTES), aligned(4), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define PUBLIC __attribute__((visibility("default")))
PUBLIC const int lanes = LANES; /* floats of a vector */
#define NEAR 6.0f /* nats */
#if defined(__wasm_simd128__) /* x is read on only after the sum: Clang would hold inputs of all rows, for which browsers lack registers */
#define IN_ORDER(x, sum) __asm__("" : "+r"(x), "+r"(sum))
#define FOUR_AT_A_TIME _Pragma("clang loop unroll_count(4)")
#else
#define IN_ORDER(x, sum)
#define FOUR_AT_A_TIME
#endif
#define NAN_ __builtin_nanf("")
#define INF __builtin_inff()

INLINE vec load(const float *p) { return *(const loose *)p; }
INLINE void store(float *p, vec v) { *(loose *)p = v; }
INLINE vec all(float x) { return x - (vec){0}; } /* not +, which would be an addition, as -0 + 0 is 0 */
INLINE vec choose(ivec mask, vec a, vec b) { return (vec)((mask & (ivec)a) | (~mask & (ivec)b)); }
INLINE i64 padded(i64 n) { return (n + PANEL - 1) / PANEL * PANEL; }
INLINE i64 least(i64 a, i64 b) { return a < b ? a : b; }

INLINE vec load_some(const float *p, i64 count) { /* zeros beyond */
    if (count >= LANES) return load(p);
    vec v = {0};
    __builtin_memcpy(&v, p, count * sizeof(float));
    return v;
}

INLINE void store_some(float *p, vec v, i64 count) {
    if (count >= LANES) store(p, v);
    else __builtin_memcpy(p, &v, count * sizeof(float));
}

INLINE void copy(float *to, const float *from, i64 count) { __builtin_memcpy(to, from, count * sizeof(float)); }

INLINE float sum(vec v) {
    float total = 0;
    for (int i = 0; i < LANES; i++) total += v[i];
    return total;
}

/* The larger of two; NaN if one is NaN. */
INLINE vec larger_each(vec a, vec b) { return choose((ivec)(b > a) | (ivec)(b != b), b, a); }
typedef float four __attribute__((vector_size(16)));
typedef int ifour __attribute__((vector_size(16)));
INLINE four larger_of_four(four a, four b) {
    ifour mask = (ifour)(b > a) | (ifour)(b != b);
    return (four)((mask & (ifour)b) | (~mask & (ifour)a));
}
INLINE float larger(float a, float b) { return larger_of_four((four){a}, (four){b})[0]; } /* without a branch */

INLINE float largest(vec v) {
    four parts[LANES / 4];
    __builtin_memcpy(parts, &v, sizeof v);
    for (int i = 1; i < LANES / 4; i++) parts[0] = larger_of_four(parts[0], parts[i]);
    four a = parts[0];
    a = larger_of_four(a, (four){a[2], a[3], a[0], a[1]});
    return larger(a[0], a[1]);
}

/* e^x within 2e-7 of it, relatively, for x from -87 to 88; NaN for NaN (Cephes, expf). Below -87 that of -87, and above
   `most` that of `most`. */
INLINE vec exp_up_to(float most, vec x) {
    vec low = all(-87.0f), high = all(most), magic = all(12582912.0f);
#if defined(__wasm_simd128__)
    vec u = (vec)wasm_f32x4_pmax(wasm_f32x4_pmin((v128_t)x, (v128_t)high), (v128_t)low);
#else
    vec u = choose(x < low, low, choose(x > high, high, x));
#endif
    vec shifted = u * 1.44269504088896341f + magic; /* its last bits are the power of two */
    vec n = shifted - magic;
    vec r = u - n * 0.693359375f - n * -2.12194440e-4f;
    vec p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * (r * r) + r + 1.0f;
    typedef unsigned uvec __attribute__((vector_size(BYTES)));
    uvec power = ((uvec)shifted - 0x4B400000u + 127u) << 23;
    return p * (vec)power;
}

INLINE vec exp_each(vec x) { return choose(x < all(-87.0f), all(0), exp_up_to(88, x)); } /* 0 below e^-87 */
INLINE vec sigmoid_each(vec x) { return 1.0f / (1.0f + exp_up_to(88, -x)); }
INLINE vec tanh_each(vec x) { return 2.0f * sigmoid_each(2.0f * x) - 1.0f; }

/* ---------------------------------------------------------------------------------------------------- products */

/* W of x W^T + b, or its integers with scale * (q W_q^T - offset), one scale and one offset for each output. */
typedef struct {
    const void *weights; /* floats, or 8-bit integers in groups of inputs */
    const float *scale;  /* of integers; otherwise null */
    const int *offset;   /* ZERO * sum of an output's integers; or null where ZERO is 0 */
    const float *bias;   /* or null */
    i64 inputs, outputs; /* outputs: padded */
} Matrix;

/* y += x w for R rows and V vectors of columns; w has `step` floats between inputs. */
INLINE void tile(int R, int V, i64 inputs, const float *x, i64 xs, const float *w, i64 step, float *y, i64 ys) {
    vec sums[MOST_ROWS][4];
    for (int r = 0; r < R; r++)
        for (int v = 0; v < V; v++) sums[r][v] = load(y + r * ys + v * LANES);
    FOUR_AT_A_TIME
    for (i64 i = 0; i < inputs; i++) {
        vec weights[4];
        for (int v = 0; v < V; v++) weights[v] = load(w + i * step + v * LANES);
        for (int r = 0; r < R; r++) {
            vec factor = all(x[r * xs + i]);
            for (int v = 0; v < V; v++) {
                sums[r][v] += factor * weights[v];
                IN_ORDER(x, sums[r][v]);
            }
        }
    }
    for (int r = 0; r < R; r++)
        for (int v = 0; v < V; v++) store(y + r * ys + v * LANES, sums[r][v]);
}

#define EACH_NUMBER_OF_ROWS(rows, CALL) \
    switch (rows) {                     \
        case 1: CALL(1); break;         \
        case 2: CALL(2); break;         \
        case 3: CALL(3); break;         \
        case 4: CALL(4); break;         \
        case 5: CALL(5); break;         \
        default: CALL(6);               \
    }

/* Rows of the next block, so that all blocks are about equally large. */
INLINE i64 block(i64 left) {
    i64 blocks = (left + MOST_ROWS - 1) / MOST_ROWS;
    return (left + blocks - 1) / blocks;
}

INLINE void columns(int V, i64 rows, i64 inputs, const float *x, i64 xs, const float *w, i64 step, float *y, i64 ys) {
    for (i64 first = 0, count; first < rows; first += count) {
        count = block(rows - first);
#define TILE(R) tile(R, V, inputs, x + first * xs, xs, w, step, y + first * ys, ys)
        EACH_NUMBER_OF_ROWS(count, TILE)
    }
}

/* x += sum_j alpha_j m_j for each row of alpha; memory: [T, size]. */
PUBLIC void context(i64 rows, i64 T, i64 size, const float *alpha, const float *memory, float *x, i64 xs) {
    i64 c = 0;
    for (; c + WIDE * LANES <= size; c += WIDE * LANES) columns(WIDE, rows, T, alpha, T, memory + c, size, x + c, xs);
    for (; c + LANES <= size; c += LANES) columns(1, rows, T, alpha, T, memory + c, size, x + c, xs);
    for (; c < size; c++)
        for (i64 r = 0; r < rows; r++)
            for (i64 j = 0; j < T; j++) x[r * xs + c] += alpha[r * T + j] * memory[j * size + c];
}

/* Sums of products of integers, for a panel or a part of it. The weights of an output lie in groups: of four inputs, whose
   products with bytes one instruction adds, or of two with 16-bit inputs. Either is exact, so all sum to the same integers. */
#if defined(__AVX512VNNI__)
typedef __m512i sums_of_group;
typedef u8 input;
INLINE __m512i add(__m512i sums, const i8 *w, int q) {
    return _mm512_dpbusd_epi32(sums, _mm512_set1_epi32(q), _mm512_loadu_si512(w));
}
#elif defined(__AVXVNNI__)
typedef __m256i sums_of_group;
typedef u8 input;
INLINE __m256i add(__m256i sums, const i8 *w, int q) {
    return _mm256_dpbusd_avx_epi32(sums, _mm256_set1_epi32(q), _mm256_loadu_si256((const void *)w));
}
#elif defined(__AVX512BW__)
typedef __m512i sums_of_group;
typedef short input;
INLINE __m512i add(__m512i sums, const i8 *w, int q) {
    __m512i weights = _mm512_cvtepi8_epi16(_mm256_loadu_si256((const void *)w));
    return _mm512_add_epi32(sums, _mm512_madd_epi16(_mm512_set1_epi32(q), weights));
}
#elif defined(__AVX2__)
typedef __m256i sums_of_group;
typedef short input;
INLINE __m256i add(__m256i sums, const i8 *w, int q) {
    __m256i weights = _mm256_cvtepi8_epi16(_mm_loadu_si128((const void *)w));
    return _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_set1_epi32(q), weights));
}
#elif defined(__SSE2__)
typedef __m128i sums_of_group;
typedef short input;
INLINE __m128i add(__m128i sums, const i8 *w, int q) {
    __m128i eight = _mm_loadl_epi64((const void *)w), weights = _mm_srai_epi16(_mm_unpacklo_epi8(eight, eight), 8);
    return _mm_add_epi32(sums, _mm_madd_epi16(_mm_set1_epi32(q), weights));
}
#elif defined(__wasm_simd128__)
typedef v128_t sums_of_group;
typedef short input;
INLINE v128_t add(v128_t sums, const i8 *w, int q) {
    return wasm_i32x4_add(sums, wasm_i32x4_dot_i16x8(wasm_i32x4_splat(q), wasm_i16x8_load8x8(w)));
}
#elif defined(__ARM_NEON) && defined(__aarch64__)
typedef int32x4_t sums_of_group;
typedef i8 input;
INLINE int32x4_t add(int32x4_t sums, const i8 *w, int q) {
    int8x16_t inputs = vreinterpretq_s8_s32(vdupq_n_s32(q)), weights = vld1q_s8(w);
#if defined(__ARM_FEATURE_DOTPROD)
    return vdotq_s32(sums, inputs, weights);
#else
    int16x8_t low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights)), high = vmull_high_s8(inputs, weights);
    return vpadalq_s16(sums, vpaddq_s16(low, high)); /* 2 * 127 * 127 fits in 16 bits */
#endif
}
#else
typedef int sums_of_group __attribute__((vector_size(16)));
typedef i8 input;
INLINE sums_of_group add(sums_of_group sums, const i8 *w, int q) {
    i8 four[4];
    __builtin_memcpy(four, &q, 4);
    for (int o = 0; o < 4; o++)
        for (int i = 0; i < 4; i++) sums[o] += four[i] * w[4 * o + i];
    return sums;
}
#endif
enum {
    GROUP = 4 / sizeof(input),                            /* inputs whose integers lie side by side */
    ZERO = (input)-1 > 0 ? 128 : 0,                       /* the integer that stands for 0: inputs may be unsigned */
    PARTS = GROUP == 4 && BYTES != 32 ? 4 : WIDE,         /* vectors of sums at a time, of 16 or 32 registers */
    STRIP = PARTS * sizeof(sums_of_group) / sizeof(float) /* outputs at a time */
};
enum { FINER = 128 }; /* finer steps in one step of an input */
PUBLIC const int group = GROUP;

INLINE void integer_tile(int R, i64 groups, const input *q, i64 qs, const i8 *w, int *y) {
    sums_of_group sums[MOST_ROWS][PARTS];
    for (int r = 0; r < R; r++)
        for (int v = 0; v < PARTS; v++) sums[r][v] = (sums_of_group){0};
    FOUR_AT_A_TIME
    for (i64 i = 0; i < groups; i++)
        for (int r = 0; r < R; r++) {
            int together;
            __builtin_memcpy(&together, q + r * qs + GROUP * i, 4);
            for (int v = 0; v < PARTS; v++) {
                sums[r][v] = add(sums[r][v], w + GROUP * (i * PANEL + v * STRIP / PARTS), together);
                IN_ORDER(q, sums[r][v]);
            }
        }
    for (int r = 0; r < R; r++)
        for (int v = 0; v < PARTS; v++) ((sums_of_group *)(y + r * STRIP))[v] = sums[r][v];
}

/* Round x to 127 steps of its largest value m, or, for `rest`, what that leaves out to steps of m / 127 / FINER; returns m, NaN
   where x is not finite. A product of two floats is exact in a double, so fused or not, every processor rounds to the same
   integers. q: of whole groups, as long as rows of weights. */
INLINE float round_row(int rest, i64 count, const float *x, input *q) {
    vec each = all(1e-30f);
    for (i64 i = 0; i < count; i += LANES)
        each = larger_each(each, (vec)((ivec)load_some(x + i, count - i) & 0x7fffffff));
    i64 whole = (count + 3) / 4 * 4;
    float most = largest(each);
    int finite = most < INF;
    double steps = 127.0f / most;
    for (i64 i = finite ? count : 0; i < whole; i++) q[i] = (input)ZERO;
    for (i64 i = 0; finite && i < count; i++) {
        double exact = x[i] * steps;
        int first = (int)(exact + 128.5) - 128;
        q[i] = (input)((rest ? (int)((exact - first) * FINER + 128.5) - 128 : first) + ZERO);
    }
    return finite ? most : NAN_;
}

/* y = before + scale * (q W_q^T) * factor for the outputs of a strip from o on; before: [rows or 1, outputs], `bs` apart, or null */
INLINE void strip(const Matrix *m, i64 o, i64 rows, const input *q, i64 qs, const float *factors, const float *before, i64 bs,
                  float *y, i64 ys) {
    int sums[MOST_ROWS * STRIP] __attribute__((aligned(64)));
    const i8 *w = (const i8 *)m->weights + o / PANEL * PANEL * qs + o % PANEL * GROUP;
#define INTEGER_TILE(R) integer_tile(R, qs / GROUP, q, qs, w, sums)
    EACH_NUMBER_OF_ROWS(rows, INTEGER_TILE)
    for (i64 r = 0; r < rows; r++)
        for (i64 c = 0; c < STRIP; c += LANES) {
            ivec whole = *(iloose *)(sums + r * STRIP + c);
            if (ZERO) whole -= *(const iloose *)(m->offset + o + c);
            vec product = __builtin_convertvector(whole, vec) * load(m->scale + o + c);
            store(y + r * ys + o + c, (before ? load(before + r * bs + o + c) : all(0)) + product * factors[r]);
        }
}

/* As `multiply`, for up to TOGETHER rows; each group of weights is read once for all of them. */
static void multiply_integers(const Matrix *m, i64 rows, const float *x, i64 xs, float *y, i64 ys) {
    i64 qs = (m->inputs + 3) / 4 * 4;
    input q[TOGETHER * qs];
    float most[TOGETHER];
    for (i64 r = 0; r < rows; r++) most[r] = round_row(0, m->inputs, x + r * xs, q + r * qs);
    for (i64 o = 0; o < m->outputs; o += STRIP)
        for (i64 first = 0, count; first < rows; first += count) {
            count = block(rows - first);
            strip(m, o, count, q + first * qs, qs, most + first, m->bias, 0, y + first * ys, ys);
        }
}

/* y = x W^T + b. x: rows of `inputs` floats, xs apart; y: rows of `outputs` floats, ys apart. */
PUBLIC void multiply(const Matrix *m, i64 rows, const float *x, i64 xs, float *y, i64 ys) {
    if (m->scale) {
        for (i64 r = 0; r < rows; r += TOGETHER)
            multiply_integers(m, least(rows - r, TOGETHER), x + r * xs, xs, y + r * ys, ys);
        return;
    }
    for (i64 r = 0; r < rows; r++)
        if (m->bias) copy(y + r * ys, m->bias, m->outputs);
        else __builtin_memset(y + r * ys, 0, m->outputs * sizeof(float));
    for (i64 o = 0, wide = rows == 1 ? 4 : WIDE; o < m->outputs; o += wide * LANES) { /* sums that do not wait for one another */
        const float *w = (const float *)m->weights + o / PANEL * PANEL * m->inputs + o % PANEL;
        if (rows == 1) tile(1, 4, m->inputs, x, xs, w, PANEL, y + o, ys);
        else columns(WIDE, rows, m->inputs, x, xs, w, PANEL, y + o, ys);
    }
}

/* The largest value of each chunk of 64; NaN if it has one. count: number of chunks */
static void chunk_maxima(i64 count, const float *x, float *maxima) {
    for (i64 c = 0; c < count; c++, x += PANEL) {
        vec most = load(x);
        for (int i = LANES; i < PANEL; i += LANES) most = larger_each(most, load(x + i));
        maxima[c] = largest(most);
    }
}

/* The largest of the values; NaN if there is one. */
INLINE float top(i64 count, const float *x) {
    vec each = all(-INF);
    i64 i = 0;
    for (; i + LANES <= count; i += LANES) each = larger_each(each, load(x + i));
    float most = largest(each);
    for (; i < count; i++) most = larger(most, x[i]);
    return most;
}

/* y = x W^T + b as `multiply` has it, of a readout: integers of the panels whose largest value lies within NEAR of the row's
   are computed in steps of x that are FINER times smaller, since these decide a search. maxima: [rows, panels], of y */
PUBLIC void logits(const Matrix *m, i64 rows, const float *x, i64 xs, float *y, i64 ys, float *maxima) {
    i64 panels = m->outputs / PANEL;
    multiply(m, rows, x, xs, y, ys);
    for (i64 r = 0; r < rows; r++, x += xs, y += ys, maxima += panels) {
        chunk_maxima(panels, y, maxima);
        if (!m->scale) continue;
        i64 qs = (m->inputs + 3) / 4 * 4;
        input q[qs];
        float step = round_row(1, m->inputs, x, q) / FINER, least_near = top(panels, maxima) - NEAR;
        for (i64 c = 0; c < panels; c++) {
            if (!(maxima[c] >= least_near)) continue;
            for (i64 o = c * PANEL; o < (c + 1) * PANEL; o += STRIP) strip(m, o, 1, q, qs, &step, y, 0, y, 0);
            chunk_maxima(1, y + c * PANEL, maxima + c);
        }
    }
}

/* ------------------------------------------------------------------------- the lines of nmt/model/reference.py */

/* e_j = v^T tanh(W_a s + U_a h_j) + const, as sum 2v sigma(2 (..)): query, keys and v are doubled; blocked words are
   left out. query, keys: [n_a], [T, n_a]; v: padded with zeros. */
PUBLIC void energies(i64 T, i64 n_a, const float *query, const float *keys, const float *v, const float *blocked, float *e) {
    for (i64 j = 0; j < T; j++) {
        if (blocked[j] != 0) {
            e[j] = -INF;
            continue;
        }
        vec total = {0};
        const float *key = keys + j * n_a;
        i64 a = 0;
        for (; a + 2 * LANES <= n_a; a += 2 * LANES) { /* v / d + w / g with one division */
            vec d = 1.0f + exp_up_to(40, -(load(query + a) + load(key + a)));
            vec g = 1.0f + exp_up_to(40, -(load(query + a + LANES) + load(key + a + LANES)));
            total += (load(v + a) * g + load(v + a + LANES) * d) / (d * g);
        }
        for (; a < n_a; a += LANES)
            total += load(v + a) * sigmoid_each(load_some(query + a, n_a - a) + load_some(key + a, n_a - a));
        e[j] = sum(total);
    }
}

/* alpha_j = exp(e_j) / sum_k exp(e_k) */
PUBLIC void softmax(i64 T, const float *e, float *alpha) {
    float most = top(T, e), total = 0;
    for (i64 j = 0; j < T; j += LANES) {
        vec p = exp_each(load_some(e + j, T - j) - most);
        store_some(alpha + j, p, T - j);
    }
    for (i64 j = 0; j < T; j++) total += alpha[j];
    for (i64 j = 0; j < T; j++) alpha[j] /= total;
}

/* t_k = max(t~_{2k-1}, t~_{2k}), t~ = from_words_and_context + from_state */
PUBLIC void maxout(i64 l, const float *x, const float *p, float *t) {
    for (i64 k = 0; k < l; k++) t[k] = larger(x[2 * k] + p[2 * k], x[2 * k + 1] + p[2 * k + 1]);
}

/* log sum exp x; NaN where x has NaN or no finite largest value m. size: a multiple of 64 */
static float log_z(i64 size, const float *x, float m) {
    vec total = {0};
    for (i64 i = 0; i < size; i += LANES) total += exp_each(load(x + i) - m);
    return m + (float)__builtin_log((double)sum(total));
}

/* x - log sum exp x, in place; m: the largest value, NaN if there is one. size: a multiple of 64 */
PUBLIC void log_softmax(i64 size, float *x, float m) {
    float z = log_z(size, x, m);
    for (i64 i = 0; i < size; i += LANES) store(x + i, load(x + i) - z);
}

/* sigma(a + b): z or r */
PUBLIC void gate(i64 n, const float *a, const float *b, float *z) {
    for (i64 i = 0; i < n; i += LANES)
        store_some(z + i, sigmoid_each(load_some(a + i, n - i) + load_some(b + i, n - i)), n - i);
}

/* tanh(a + b): the candidate */
PUBLIC void candidate(i64 n, const float *a, const float *b, float *c) {
    for (i64 i = 0; i < n; i += LANES)
        store_some(c + i, tanh_each(load_some(a + i, n - i) + load_some(b + i, n - i)), n - i);
}

/* (1 - z) s + z s~ */
PUBLIC void new_state(i64 n, const float *z, const float *s, const float *c, float *out) {
    for (i64 i = 0; i < n; i++) out[i] = s[i] + z[i] * (c[i] - s[i]);
}

/* ---------------------------------------------------------------------------------------------------- the model */

typedef struct {
    Matrix from_state;     /* [U_z; U_r; U_o; 2 W_a], n -> 2n + 2l + n_a */
    Matrix U;              /* n -> n */
    Matrix words;          /* [W_z; W_r; W; V_o], m -> 3n + 2l, with biases */
    Matrix W_o;            /* l -> K, with b_o, -inf beyond K_y */
    Matrix C;              /* [C_z; C_r; C; C_o] */
    Matrix keys;           /* 2 U_a, with 2 b_a */
    Matrix W_s;            /* with b_s */
    Matrix W[2], U_zr[2], U_[2]; /* of each direction of the encoder: [W_z; W_r; W] with biases, [U_z; U_r], U */
    const float *v;        /* 2 v_a, padded with zeros to whole panels */
    const void *E_y, *E_x; /* [K_y, m], [K_x, m]: floats, or 8-bit integers with a scale for each word */
    const float *E_y_scale, *E_x_scale; /* of integers; otherwise null */
    float *table;          /* words' contributions, [in_table, padded 3n + 2l], row 0 for y_0; or null */
    u8 *known;             /* of each row of the table, whether it is there */
    i64 n, l, n_a, m, K, source_size, target_size, in_table, directions, attends, program;
} Model;

/* E y of a word; `room` is for that of integers. */
INLINE const float *embedding(const void *E, const float *scale, i64 id, i64 m, float *room) {
    if (!scale) return (const float *)E + id * m;
    for (i64 j = 0; j < m; j++) room[j] = scale[id] * ((const i8 *)E)[id * m + j];
    return room;
}

/* s_i of rows from x: E y + C c, gates: [U_z; U_r] s, times_U: r * s -> U (r * s). s and out may be the same. */
static void update(i64 rows, i64 n, const Matrix *U, const float *s, i64 ss, const float *x, i64 xs, const float *gates,
                   i64 gs, float *out, i64 os, float *scratch) {
    i64 wide = padded(n);
    float *z = scratch, *rs = z + rows * wide, *product = rs + rows * wide;
    for (i64 i = 0; i < rows; i++) {
        float *r = rs + i * wide;
        gate(n, x + i * xs, gates + i * gs, z + i * wide);
        gate(n, x + i * xs + n, gates + i * gs + n, r);
        for (i64 j = 0; j < n; j++) r[j] *= s[i * ss + j];
    }
    multiply(U, rows, rs, wide, product, wide);
    for (i64 i = 0; i < rows; i++) {
        candidate(n, x + i * xs + 2 * n, product + i * wide, product + i * wide);
        new_state(n, z + i * wide, s + i * ss, product + i * wide, out + i * os);
    }
}

/* Whether all ids are those of words; `lowest` is -1 where y_0 may be among them. */
static int are_words(i64 count, const i64 *ids, i64 lowest, i64 size) {
    for (i64 i = 0; i < count; i++)
        if (ids[i] < lowest || ids[i] >= size) return 0;
    return 1;
}

enum { UNKNOWN, BEING_KEPT, KNOWN };

/* Contributions of words to the sums. ids: -1 for y_0; y: rows of padded 3n + 2l. Several threads may meet at a word that
   is not in the table: each computes it, and one of them keeps it there. */
static void words(const Model *m, i64 rows, const i64 *ids, float *y) {
    i64 wide = m->words.outputs;
    float room[m->m];
    for (i64 i = 0; i < rows; i++, y += wide) {
        float *kept = ids[i] + 1 < m->in_table ? m->table + (ids[i] + 1) * wide : 0;
        u8 *state = kept ? m->known + ids[i] + 1 : 0, before = UNKNOWN;
        if (kept && __atomic_load_n(state, __ATOMIC_ACQUIRE) == KNOWN) {
            copy(y, kept, wide);
            continue;
        }
        if (ids[i] < 0) copy(y, m->words.bias, wide);
        else multiply(&m->words, 1, embedding(m->E_y, m->E_y_scale, ids[i], m->m, room), m->m, y, wide);
        if (kept && __atomic_compare_exchange_n(state, &before, BEING_KEPT, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            copy(kept, y, wide);
            __atomic_store_n(state, KNOWN, __ATOMIC_RELEASE);
        }
    }
}

static float *scratch_of(i64 floats) { return __builtin_malloc((floats + 2 * PANEL) * sizeof(float)); }

/* Floats of a row of the state: s, and in program order the gates' sums and the last context. */
INLINE i64 width_of(const Model *m) { return m->program ? 6 * m->n + 2 * m->l : m->n; }

/* Copy row of[i] to row i. of: at most i; or null, where each row has its own place */
static void spread(i64 rows, const i64 *of, i64 width, float *x) {
    for (i64 i = of ? rows : 0; i-- > 0;)
        if (of[i] < i) copy(x + i * width, x + of[i] * width, width);
}

/* One step of S sentences with k hypotheses. Returns 0; 1 without memory, 2 for an id that is no word's.

   begun: u8 [S], whether a sentence has taken its first step, or null if all have (program order alone).
   state, after: rows s, and in program order the gates' sums and the last context, [S k, n (+ 2n + 3n + 2l)].
   of [k]: number of a row's state, at most its own, where rows of one sentence that continue one row share it, or null.
   previous: ids [S k]; memory [S, T, 3n + 2l], or [S, 1, ..] of a model without attention; keys [S, T, n_a];
   blocked [S, T]; given: [T], alpha of all rows, or null for the model's own; alpha [S k, T].
   log_p [S k, K]; with maxima [S k, K / 64], they are logits, and these the largest of each chunk.
   glibc has a `step` of its own, which would be called in place of one of that name. */
PUBLIC int take_step(const Model *m, i64 S, i64 k, i64 T, const u8 *begun, const float *state, const i64 *of,
                     const i64 *previous, const float *memory, const float *keys, const float *blocked,
                     const float *given, float *log_p, float *maxima, float *alpha, float *after) {
    i64 n = m->n, l = m->l, sums = 3 * n + 2 * l, rows = S * k;
    i64 wide = m->words.outputs, ps = m->from_state.outputs, ts = padded(l), width = width_of(m), states = of ? 0 : k;
    if (!are_words(rows, previous, -1, m->target_size)) return 2;
    i64 chunks = m->K / PANEL;
    float *y = scratch_of(rows * (2 * wide + ps + ts + 3 * padded(n)) + TOGETHER * chunks);
    if (!y) return 1;
    float *x = y + rows * wide, *p = x + rows * wide, *t = p + rows * ps, *scratch = t + rows * ts, *here = scratch + rows * 3 * padded(n);
    words(m, rows, previous, y);
    for (i64 r = 0; of && r < k; r++) states += of[r] == states; /* they are numbered as they appear */
    copy(after, state, S * states * width);
    if (m->program) {
        spread(k, of, width, after);
        of = 0, states = k;
        for (i64 i = 0; i < S; i++) {
            if (begun && !begun[i]) continue;
            float *s = after + i * k * width;
            for (i64 r = 0; r < k; r++)
                for (i64 j = 0; j < 3 * n; j++) x[r * wide + j] = y[(i * k + r) * wide + j] + s[r * width + 3 * n + j];
            update(k, n, &m->U, s, width, x, wide, s + n, width, s, width, scratch);
        }
    }
    multiply(&m->from_state, S * states, after, width, p, ps);
    __builtin_memset(x, 0, rows * wide * sizeof(float));
    for (i64 i = 0; i < S; i++) {
        const float *values = memory + i * (m->attends ? T : 1) * sums;
        for (i64 r = i * k; m->attends && r < i * k + states; r++) {
            if (given) {
                copy(alpha + r * T, given, T);
                continue;
            }
            energies(T, m->n_a, p + r * ps + 2 * n + 2 * l, keys + i * T * m->n_a, m->v, blocked + i * T, alpha + r * T);
            softmax(T, alpha + r * T, alpha + r * T);
        }
        if (m->attends) context(states, T, sums, alpha + i * k * T, values, x + i * k * wide, wide);
        else
            for (i64 r = i * k; r < i * k + states; r++) copy(x + r * wide, values, sums);
    }
    spread(k, of, ps, p), spread(k, of, wide, x), spread(k, of, width, after);
    if (m->attends) spread(k, of, T, alpha);
    for (i64 r = 0; r < rows; r++) {
        if (m->program) {
            copy(after + r * width + n, p + r * ps, 2 * n);
            copy(after + r * width + 3 * n, x + r * wide, sums);
        }
        for (i64 j = 0; j < sums; j++) x[r * wide + j] += y[r * wide + j];
        maxout(l, x + r * wide + 3 * n, p + r * ps + 2 * n, t + r * ts);
    }
    for (i64 first = 0; first < rows; first += TOGETHER) { /* so that a row is still in the cache */
        i64 end = least(first + TOGETHER, rows);
        float *found = maxima ? maxima + first * chunks : here;
        logits(&m->W_o, end - first, t + first * ts, ts, log_p + first * m->K, m->K, found);
        for (i64 r = first; !maxima && r < end; r++, found += chunks)
            log_softmax(m->K, log_p + r * m->K, top(chunks, found));
    }
    if (!m->program) update(rows, n, &m->U, after, n, x, wide, p, ps, after, n, scratch);
    __builtin_free(y);
    return 0;
}

/* Read S sentences of up to T words, all of them one word further at a time. lengths [S]; ids [S, T], of which those beyond
   a length are not read. s: s_0 [S, n]; memory: C h_j [S, T, 3n + 2l], or of the last state alone [S, 1, ..]; keys
   [S, T, n_a]; both are left as they are beyond a length. Returns 0; 1 without memory, 2 for an id that is no word's. */
PUBLIC int read_sources(const Model *m, i64 S, i64 T, const i64 *lengths, const i64 *ids, float *s, float *memory,
                        float *keys) {
    i64 n = m->n, D = m->directions, sums = 3 * n + 2 * m->l, wide = padded(3 * n), ps = padded(2 * n);
    i64 most = m->C.outputs > m->keys.outputs ? m->C.outputs : m->keys.outputs;
    most = most > wide ? most : wide;
    for (i64 i = 0; i < S; i++)
        if (!are_words(lengths[i], ids + i * T, 0, m->source_size)) return 2;
    float *h = scratch_of(T * (S * (D * n + wide) + m->m + most) + S * (n + wide + ps + 3 * padded(n)) + 2 * padded(n));
    if (!h) return 1;
    float *x = h + S * T * D * n, *e = x + S * T * wide, *y = e + T * m->m, *state = y + T * most, *here = state + S * n;
    float *p = here + S * wide, *scratch = p + S * ps, *zeros = scratch + S * 3 * padded(n), *first = zeros + padded(n);
    for (i64 d = 0; d < D; d++) {
        for (i64 i = 0; i < S; i++) {
            for (i64 j = 0; j < lengths[i]; j++) {
                float *row = e + j * m->m;
                const float *found = embedding(m->E_x, m->E_x_scale, ids[i * T + j], m->m, row);
                if (found != row) copy(row, found, m->m);
            }
            multiply(&m->W[d], lengths[i], e, m->m, x + i * T * wide, wide);
        }
        __builtin_memset(state, 0, S * n * sizeof(float));
        __builtin_memset(here, 0, S * wide * sizeof(float));
        for (i64 t = 0; t < T; t++) { /* sentences that have ended go on with their last word, and nothing keeps it */
#define PLACE (i * T + (d ? lengths[i] - 1 - t : t)) /* of the word that sentence i reads now */
            for (i64 i = 0; i < S; i++)
                if (t < lengths[i]) copy(here + i * wide, x + PLACE * wide, wide);
            multiply(&m->U_zr[d], S, state, n, p, ps);
            update(S, n, &m->U_[d], state, n, here, wide, p, ps, state, n, scratch);
            for (i64 i = 0; i < S; i++)
                if (t < lengths[i]) copy(h + (PLACE * D + d) * n, state + i * n, n);
        }
    }
    __builtin_memset(zeros, 0, padded(n) * sizeof(float));
    for (i64 i = 0; i < S; i++) {
        i64 last = D == 2 ? 0 : lengths[i] - 1, begin = m->attends ? 0 : last, count = m->attends ? lengths[i] : 1;
        float *own = h + i * T * D * n;
        multiply(&m->W_s, 1, own + last * D * n + (D - 1) * n, n, first, padded(n));
        candidate(n, first, zeros, s + i * n);
        multiply(&m->C, count, own + begin * D * n, D * n, y, m->C.outputs);
        for (i64 j = 0; j < count; j++)
            copy(memory + (i * (m->attends ? T : 1) + j) * sums, y + j * m->C.outputs, sums);
        if (!m->attends) continue;
        multiply(&m->keys, count, own, D * n, y, m->keys.outputs);
        for (i64 j = 0; j < count; j++)
            copy(keys + (i * T + j) * m->n_a, y + j * m->keys.outputs, m->n_a);
    }
    __builtin_free(h);
    return 0;
}

/* ------------------------------------------------------------------------------------- attention in training */

/* alpha of one step of B sentence pairs. query: [B, n_a]; keys: [B, T, n_a]; blocked, alpha: [B, T]; v as in `energies` */
PUBLIC void attend(i64 B, i64 T, i64 n_a, const float *query, const float *keys, const float *v, const float *blocked,
                   float *alpha) {
    for (i64 b = 0; b < B; b++, query += n_a, keys += T * n_a, blocked += T, alpha += T) {
        energies(T, n_a, query, keys, v, blocked, alpha);
        softmax(T, alpha, alpha);
    }
}

/* From d_e, the gradient by the energies e = sum v g with g = sigma(query + key): d_v += d_e g; d_keys += d_e g (1 - g) and
   d_query = the sum of d_e g (1 - g) over the words, both still to be multiplied by v. */
PUBLIC void attend_gradient(i64 B, i64 T, i64 n_a, const float *query, const float *keys, const float *d_e, float *d_keys,
                            float *d_query, float *d_v) {
    __builtin_memset(d_query, 0, B * n_a * sizeof(float));
    for (i64 b = 0; b < B; b++, query += n_a, d_query += n_a)
        for (i64 j = 0; j < T; j++, keys += n_a, d_keys += n_a, d_e++)
            for (i64 a = 0; a < n_a && *d_e != 0; a += LANES) {
                i64 left = n_a - a;
                vec g = sigmoid_each(load_some(query + a, left) + load_some(keys + a, left));
                vec by_v = *d_e * g, slope = by_v - by_v * g;
                store_some(d_v + a, load_some(d_v + a, left) + by_v, left);
                store_some(d_keys + a, load_some(d_keys + a, left) + slope, left);
                store_some(d_query + a, load_some(d_query + a, left) + slope, left);
            }
}

/* ------------------------------------------------------------------------------------- the best continuations */

typedef struct {
    i64 row, token;
    double value, total;
} Continuation;

/* Insert the sums before + (x - z) of the ids from `first` up to `end` among the `number` largest, of which `count` are
   found, best first, ties by row and id; returns how many there are then. maxima: of x, by chunk */
static i64 insert(i64 row, i64 first, i64 end, const float *x, float z, double before, const float *maxima, i64 number,
                  i64 count, Continuation *found) {
    for (i64 i = first; i < end; i++) {
        double worst = count < number ? -INF : found[number - 1].total;
        if (i % PANEL == 0 && !((maxima[i / PANEL] - z) + before > worst)) {
            i += PANEL - 1; /* not even the largest value of the chunk is large enough */
            continue;
        }
        double value = x[i] - z, total = value + before;
        if (!(total > worst)) continue;
        i64 place = count < number ? count++ : number - 1;
        for (; place > 0 && found[place - 1].total < total; place--) found[place] = found[place - 1];
        found[place] = (Continuation){row, i, value, total};
    }
    return count;
}

/* The `number` largest sums live + x of each line, best first, ties by place; what is missing has -inf. A row with NaN
   or a value above 1e-4 is broken, as broken_rows of nmt/search/limits.py has it, and none of its sums counts.
   x [lines, rows, 64 chunks], live [lines, rows], maxima [chunks] for intermediate values
   -> places, as integers, values and sums, [lines, 3, number]; broken [lines, rows] */
PUBLIC void best_sums(i64 lines, i64 rows, i64 chunks, i64 number, const float *x, const double *live, float *maxima,
                      double *best, u8 *broken) {
    Continuation *found = __builtin_malloc(number * sizeof(Continuation)); /* a beam may be too wide for the stack */
    for (i64 line = 0; line < lines; line++, best += 3 * number) {
        i64 count = 0, *places = (i64 *)best;
        for (i64 row = 0; row < rows; row++, x += chunks * PANEL, live++) {
            chunk_maxima(chunks, x, maxima);
            int sound = found != 0;
            for (i64 c = 0; c < chunks; c++) sound &= maxima[c] <= 1e-4f;
            *broken++ = !sound;
            if (sound) count = insert(row, 0, chunks * PANEL, x, 0, *live, maxima, number, count, found);
        }
        for (i64 i = 0; i < number; i++) {
            Continuation each = i < count ? found[i] : (Continuation){0, 0, -INF, -INF};
            places[i] = each.row * chunks * PANEL + each.token;
            best[number + i] = each.value, best[2 * number + i] = each.total;
        }
    }
    __builtin_free(found);
}

/* ----------------------------------------------------------------------------------------- a search of one sentence */

/* One step of a search: of each hypothesis that goes on the row that it continues, its last word and the word's log p;
   and alpha of the rows before the step. */
typedef struct Layer {
    struct Layer *before;
    i64 *rows, *tokens;
    double *values;
    float *alpha;
} Layer;

/* What is asked, and what is found. ids [T]; forced: the first words of the output; banned: ids that it may not contain;
   penalties: length^A of each length up to limit + 1, and that of the bound; blocked [T]: not 0 for a word that is left
   out, or null; given [T]: alpha of step number given_step, or null. -> out, values [limit + 1]: ids, and log p of each;
   alpha [limit + 1, T], or null; seen: whether the beam ever held the id `watched`. What follows `seen` begins with 0. */
typedef struct {
    const Model *model;
    const i64 *ids, *forced, *banned;
    const double *penalties;
    const float *blocked, *given;
    i64 *out;
    double *values;
    float *alpha;
    i64 T, beam, fewest, limit, forced_count, banned_count, watched, given_step;
    double log_p, score;
    i64 seen, steps, rows, left, best_row;
    double best_value;
    float *room;
    Layer *last, *best;
} Search;

/* The best continuations of rows of logits, as best_sums finds them; returns how many, or -1 if a row has no finite sum. */
static i64 continuations(const Search *s, i64 number, const double *live, float *x, float *maxima, Continuation *found) {
    i64 count = 0, size = s->model->K, full = s->steps >= s->limit, forced = s->steps < s->forced_count;
    i64 only = full ? 0 : forced ? s->forced[s->steps] : -1, first = only < 0 ? 0 : only, end = only < 0 ? size : only + 1;
    for (i64 row = 0; row < s->rows; row++, x += size, maxima += size / PANEL) {
        float z = log_z(size, x, top(size / PANEL, maxima));
        if (z != z) return -1;
        for (i64 b = s->steps < s->fewest ? -1 : 0; b < s->banned_count; b++) {
            i64 id = b < 0 ? 0 : s->banned[b];
            x[id] = -INF;
            chunk_maxima(1, x + id / PANEL * PANEL, maxima + id / PANEL);
        }
        count = insert(row, first, end, x, z, live[row], maxima, number, count, found);
    }
    return count;
}

/* Write the output that ends in row best_row of the layer `best`; returns its length. */
static i64 trace(Search *s) {
    i64 length = 0, row = s->best_row;
    for (Layer *layer = s->best; layer; layer = layer->before) length++;
    Layer *layer = s->best;
    s->out[length - 1] = 0, s->values[length - 1] = s->best_value;
    for (i64 i = length - 1;; i--) {
        if (s->alpha) copy(s->alpha + i * s->T, layer->alpha + row * s->T, s->T);
        if (!(layer = layer->before)) return length;
        s->out[i - 1] = layer->tokens[row], s->values[i - 1] = layer->values[row];
        row = layer->rows[row];
    }
}

/* Free what a search has in use between two calls. */
PUBLIC void end_search(Search *s) {
    for (Layer *layer = s->last, *before; layer; layer = before) before = layer->before, __builtin_free(layer);
    __builtin_free(s->room);
    s->last = 0, s->room = 0;
}

enum { GOES_ON = 0, NO_MEMORY = -1, NO_WORD = -2, NOT_FINITE = -3, NOTHING = -4 };

/* Beam search for the best output of one sentence, as nmt/search/beam.py has it: at most `most` further steps.
   Returns the output's length, or one of the numbers above. Ends itself unless it goes on. */
PUBLIC i64 search(Search *s, i64 most) {
    const Model *m = s->model;
    i64 T = s->T, beam = s->beam, width = width_of(m), sums = 3 * m->n + 2 * m->l, words = m->attends ? T : 1;
    i64 a = m->attends ? T : 0, chunks = m->K / PANEL, result = GOES_ON, begins = !s->room;
    if (begins)
        s->room = scratch_of(beam * ((i64)sizeof(Continuation) + 32) / 4 + T + words * sums + a * m->n_a + 2 * beam * width +
                             beam * (m->K + chunks));
    if (!s->room) return NO_MEMORY;
    Continuation *found = (Continuation *)s->room;
    double *live = (double *)(found + beam);
    i64 *previous = (i64 *)(live + beam), *of = previous + beam, *place = of + beam;
    float *blocked = (float *)(place + beam), *memory = blocked + T, *keys = memory + words * sums;
    float *state = keys + a * m->n_a, *after = state + beam * width, *x = after + beam * width, *maxima = x + beam * m->K;
    if (begins) {
        __builtin_memset(state, 0, width * sizeof(float));
        for (i64 j = 0; j < T; j++) blocked[j] = s->blocked && s->blocked[j] != 0 ? -INF : 0;
        live[0] = 0, previous[0] = -1, of[0] = 0;
        s->rows = 1, s->left = beam;
        result = -read_sources(m, 1, T, &T, s->ids, state, memory, keys);
    }
    for (; result == GOES_ON && most > 0; most--) {
        Layer *layer = __builtin_malloc(sizeof(Layer) + beam * 24 + s->rows * a * sizeof(float));
        if (!layer) {
            result = NO_MEMORY;
            break;
        }
        i64 *rows = (i64 *)(layer + 1);
        *layer = (Layer){s->last, rows, rows + beam, (double *)(rows + 2 * beam), (float *)(rows + 3 * beam)};
        s->last = layer;
        u8 begun = s->steps > 0;
        const float *given = s->given && s->steps == s->given_step ? s->given : 0;
        result = -take_step(m, 1, s->rows, T, &begun, state, of, previous, memory, keys, blocked, given, x, maxima, layer->alpha, after);
        i64 count = result ? 0 : continuations(s, beam, live, x, maxima, found), next = 0, states = 0;
        if (count < 0) result = NOT_FINITE;
        s->steps++;
        for (i64 r = 0; r < s->rows; r++) place[r] = -1; /* of a row's state among those that are kept */
        count = least(count, s->left);
        for (i64 c = 0; c < count; c++) {
            s->seen |= found[c].token == s->watched;
            if (found[c].token) {
                layer->rows[next] = found[c].row, layer->values[next] = found[c].value;
                layer->tokens[next] = previous[next] = found[c].token, live[next] = found[c].total;
                i64 *at = place + found[c].row;
                if (*at < 0) copy(state + (*at = states++) * width, after + found[c].row * width, width);
                of[next++] = *at;
                continue;
            }
            double score = found[c].total / s->penalties[s->steps];
            s->left--;
            if (s->best && !(score > s->score)) continue;
            s->best = layer, s->best_row = found[c].row, s->best_value = found[c].value;
            s->log_p = found[c].total, s->score = score;
        }
        s->rows = next;
        if (result == GOES_ON && (!next || (s->best && !(live[0] / s->penalties[s->limit + 2] > s->score))))
            result = s->best ? trace(s) : NOTHING;
    }
    if (result != GOES_ON) end_search(s);
    return result;
}

/* ---------------------------------------------------------------------------------------- what a page is packed by */

/* Pack rows of 8-bit integers with a scale each, of a released run, as rows from `first` on of a matrix: as floats, or as
   integers if it has scales. times: a factor. */
PUBLIC void pack(const Matrix *m, i64 first, i64 rows, const i8 *values, const float *scales, float times) {
    i64 inputs = m->inputs, wide = (inputs + 3) / 4 * 4;
    for (i64 o = first; o < first + rows; o++, values += inputs, scales++) {
        float *floats = (float *)m->weights + o / PANEL * PANEL * inputs + o % PANEL;
        i8 *integers = (i8 *)m->weights + o / PANEL * PANEL * wide + o % PANEL * GROUP;
        if (m->scale) ((float *)m->scale)[o] = times * *scales / 127;
        for (i64 i = 0; i < inputs; i++)
            if (m->scale) integers[i / GROUP * GROUP * PANEL + i % GROUP] = values[i];
            else floats[i * PANEL] = times * *scales * values[i];
    }
}
