// strings.js in Korean.

export const LOCALE = "ko";

// The form and its answer
export const SENTENCE_IN = (language) => `${language} 문장`;
export const CHOOSE_CHECKPOINT = "체크포인트를 하나 이상 고르십시오.";
export const WRITE_SENTENCE = "문장을 입력하거나 예문을 하나 고르십시오.";
export const TOO_LONG = (characters, most) => `이 문장은 ${characters}자입니다. 이 페이지는 ${most}자까지 번역합니다.`;
export const FAILED = (reason) => `번역하지 못했습니다: ${reason}`;
export const TOO_OLD = "이 브라우저는 너무 오래되어 번역할 수 없습니다. 2023년부터 브라우저에 있는 SIMD를 갖춘 WebAssembly가 필요합니다.";
export const TOOK = (beam, seconds) => `빔 너비 ${beam}, ${seconds}초, 이 기기에서 계산했습니다.`;
export const READS = (name) => `${name} 모델이 문장을 읽고 있습니다.`;
export const WRITES = (name, word) => `${name} 모델이 ${word}번째 단어를 쓰고 있습니다.`;

// Ribbons and matrices
export const KINDS = { rnnsearch: "RNNsearch", rnnencdec: "RNNencdec" };
export const HINT = "단어를 가리키면 모델이 어디를 보았는지 나타납니다. 누르면 고정됩니다. 화살표 키도 쓸 수 있습니다.";
export const RIBBON_KIND = (kind, nats) => `${kind} · log p ${nats} nats`;
export const NO_ALPHA = (kind) => `${kind}: 문장 전체를 벡터 하나에 담음, alpha 없음`;
export const MATRIX_KIND = (kind, nats) => `${kind}, log p = ${nats} nats`;
export const MATRIX_VALUES = "정렬 가중치 alpha";
export const SOURCE = (language) => `원문: ${language}`;
export const TARGET = (language) => `번역문: ${language}`;
export const NOTHING = "(없음: 모델이 곧바로 문장을 끝냈습니다)";
export const CROSSES = (here, there) =>
  `“${here}” 부분에서는 “${there}” 부분의 단어들이 반대 순서로 놓입니다. 그래서 리본이 엇갈립니다.`;
export const UNKNOWN_WORDS = (mark, words) => `미등록 단어(모델이 ${mark} 기호로 읽음): ${words}.`;
export const REPLACED = (mark) => `번역문의 ${mark} 자리에는 다른 단어를 넣었습니다. 위의 리본에는 모델이 쓴 그대로 보입니다.`;
export const LONGER = (words, trained) =>
  `문장의 단어는 ${words}개이고, 학습한 문장의 단어는 ${trained}개까지였습니다.`;
export const WORDS = (words) => `이 문장의 단어는 ${words}개입니다.`;

// Signs of words that seem dropped or repeated
export const HARDLY = "거의 보지 않음: 번역하지 않았을 수 있음";
export const OFTEN = "자주 봄: 두 번 이상 번역했을 수 있음";
export const REPEATED = "앞의 단어를 되풀이함";

// Bars
export const COVERAGE = "포함 정도";
export const COVERAGE_EXPLAINED = "원문의 단어가 번역문의 모든 단어에서 받은 가중치의 합입니다. 점선은 1을 나타냅니다.";
export const COVERAGE_OF = (value) => `포함 정도 ${value}`;
export const ENTROPY = "엔트로피(비트)";
export const ENTROPY_EXPLAINED = (most) =>
  "번역문의 단어마다 가중치가 얼마나 넓게 퍼져 있는지 나타냅니다. 모든 가중치가 원문의 한 단어에 있으면 0비트, " +
  `원문의 모든 단어에 똑같이 있으면 ${most}비트입니다. ` +
  "빗금 친 부분은 문장 끝 토큰과 문장 부호에 놓인 가중치의 비율입니다.";
export const ENTROPY_OF = (bits, share) => `엔트로피 ${bits}비트, 문장 끝 토큰과 문장 부호에 놓인 가중치 ${share}%`;
export const WORD_SAID = (nats, bits) => `log p ${nats} nats, 엔트로피 ${bits}비트`;
export const HATCHED = "빗금 막대: 가중치 가운데 문장 끝 토큰과 문장 부호가 받은 비율";
