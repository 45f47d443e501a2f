// strings.js in Korean.

export const NOTHING = "없음";
export const RIBBONS = (title) =>
  `${title}: 리본. 위아래 키로 하나를 고르고, 좌우 키로 그 끝을 다른 원문 단어로 옮긴 다음, Enter 키로 적용합니다`;
export const GRIP = (target) => `“${target}” 단어가 보는 곳`;
export const SENTENCES = "하나로 번역한 문장들";
export const SENTENCES_AS_ONE = (number) => (number > 1 ? `${number}문장을 하나로` : "한 문장");
export const ADD = (sentence) => `다음 문장 더하기: ${sentence}`;
export const BEFORE = "바꾸기 전: ";
export const UNDO = "되돌리기";
export const UNDO_KEY = "Ctrl+Z";
