// strings.js in Korean.

export const LOG_P = (value) => `log p ${value}`;
export const LOOK_AT = (target, source) => `“${target}” 단어가 “${source}” 단어를 보게 하기`;
export const PLAY = "재생";
export const STOP = "멈춤";
