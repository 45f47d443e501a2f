// strings.js in Korean.

export const STEPS = "학습의 스냅샷";
export const EARLIER = "이전";
export const LATER = "다음";
export const PICTURES = "갱신 횟수에 따른 alpha";
export const AFTER = (updates) => `갱신 ${updates}번 뒤`;
export const NOTHING_WRITTEN = "(없음: 모델이 곧바로 문장을 끝냈습니다)";
export const SCRUBBER = "갱신 횟수";
export const PLACE = (updates, bits) => `갱신 ${updates}번, alpha의 엔트로피 ${bits}비트`;

export const UPDATES = (updates) => `갱신 ${updates}번`;
export const TRAINING = "학습 손실, 토큰당 nats(왼쪽 축)";
export const DEVELOPMENT = "다른 문장의 손실";
export const ENTROPY = "alpha의 엔트로피, 비트(오른쪽 축)";
export const LEAST = "α = 0";
export const MOST = "1, 제곱근 눈금";
