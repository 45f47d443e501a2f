// strings.js in Korean.

export const CHOOSE_CHECKPOINT = "체크포인트를 하나 이상 고르십시오.";
export const WRITE_SENTENCE = "문장을 입력하거나 예문을 하나 고르십시오.";
export const TOO_LONG = (characters, most) => `이 문장은 ${characters}자입니다. 이 페이지는 ${most}자까지 번역합니다.`;
export const FAILED = (reason) => `번역하지 못했습니다: ${reason}`;
export const TOO_OLD = "이 브라우저는 너무 오래되어 번역할 수 없습니다. 2023년부터 브라우저에 있는 SIMD를 갖춘 WebAssembly가 필요합니다.";
export const TOOK = (beam, seconds) => `빔 너비 ${beam}, ${seconds}초, 이 기기에서 계산했습니다.`;
export const READS = (name) => `${name} 모델이 문장을 읽고 있습니다.`;
export const WRITES = (name, word) => `${name} 모델이 ${word}번째 단어를 쓰고 있습니다.`;
