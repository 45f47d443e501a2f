// strings.js in Korean.

export const MODEL = "모델";
export const STEPS = "단계";
export const BACK = "이전";
export const FORWARD = "다음";
export const STAGE = "단계의 부분";
export const STAGE_NAMES = {
  read: "읽기", state: "상태", scores: "점수", weights: "가중치", context: "문맥", word: "단어",
};
export const TRANSLATION = "한 단어씩 본 번역";
export const WORD = (number, word) => `${number}번째 단어: ${word}`;
export const EXPLANATION = "살펴볼 점";
export const HINT =
  "어느 부분이든 가리키면 수식, 형태, 값이 보이고 누르면 고정됩니다. 좌우 화살표 키로 부분을, 위아래 화살표 키로 단어를 오갑니다.";

export const DRAWING = (word) => `${word}: 이 단어를 쓰는 단계의 그림`;
export const FIRST = "(아직 없음)";
export const LAST = "끝";

export const PAPER = (place) => `논문: ${place}`;
export const OF_WORD = (word, number) => `“${word}”, ${number}번째 단어:`;
export const DIRECTIONS = ["정방향", "역방향"];
export const MAXOUT = "층 tᵢ:";
export const WRITTEN = ({ word, p, nats, rank }) =>
  `“${word}”: p = ${p}, log p = ${nats} nats, 모든 단어 가운데 ${rank}위.`;
export const PREVIOUS = (word) => `“${word}”`;
export const NO_PREVIOUS = "아직 쓴 단어가 없습니다: 영벡터.";
export const DIRECTION = (name, facts) => `${name}: ${facts}`;
export const VECTOR = ({ count, low, lowUnit, high, highUnit, norm }) =>
  `수 ${count}개, 최소 ${low}(유닛 ${lowUnit}), 최대 ${high}(유닛 ${highUnit}), 노름 ‖·‖ = ${norm}.`;
