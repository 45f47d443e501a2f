// strings.js in Korean.

export const HINT =
  "단어나 칸을 가리키면 가중치를 읽을 수 있습니다. 누르면 고정되고, 단어를 더 누르면 그 가중치가 더해집니다. 화살표 키도 쓸 수 있습니다.";
export const DRAG_HINT = "밝은 칸을 같은 행에서 끌면 모델이 다른 곳을 보게 할 수 있습니다.";
export const SMALLER = "칸 작게";
export const LARGER = "칸 크게";
export const ZOOM = "칸의 크기";
export const MATRIX = "정렬 행렬";
export const NOTHING_ABOVE = (least) => `${least}보다 큰 값이 없습니다`;
export const WIDER_IS_LARGER = (symbol) => `${symbol}: 선이 굵을수록 값이 큽니다.`;

export const MATRIX_ABOUT = (panel) =>
  `${panel.title}, ${panel.values}: 번역문 단어 ${panel.target.length}개, 원문 단어 ${panel.source.length}개. ` +
  "화살표 키로 칸 사이를 오가고 Enter 키로 고정합니다.";

export const CELL = ({ i, m, target, j, n, source, letter, value }) =>
  `번역문 단어 ${m}개 중 ${i}번째, ${target}; 원문 단어 ${n}개 중 ${j}번째, ${source}; ${letter} ${value}`;
