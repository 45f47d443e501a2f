// strings.js in Korean.

export const TREE = "가설 트리. 화살표 키로 오가고 Enter 키로 가중치를 봅니다";
export const CHOSEN = "고른 가설";
export const START = "시작";
export const NODE = (text, nats, fate) => `${text}: log p ${nats} nats, ${fate}`;
export const FATES = {
  continued: "남아서 이어짐",
  finished: "끝남",
  pruned: "버려짐: 확률이 더 높은 가설이 있었음",
  open: "빔 서치가 끝날 때 남아 있었음: 더는 이길 수 없었음",
};

export const LENGTH = (count) => `토큰 ${count}개의 가설`;
export const NOTHING_YET = "(아직 없음)";
export const FACTS = (nats, fate) => `log p = ${nats} nats, ${fate}`;
export const FACTS_WITH_LAST = (nats, last, fate) => `log p = ${nats} nats, 그중 마지막 단어 ${last}, ${fate}`;
export const BEGIN_HERE = "여기서 이어 가기";
export const FOLLOWING = "확률이 높은 다음 단어";
export const NONE_FOLLOWING = "빔 서치가 여기서 더 이어지지 않았습니다";
export const LOOKED_AT = "마지막 단어의 가중치";
export const NO_WEIGHTS = "가중치 없음";

export const LEGEND = (beam, count) => `빔 너비 ${beam}, 가설 ${count}개. 열마다 확률이 가장 높은 것이 위에 있습니다`;
export const SAMPLES = { continued: "남음", finished: "끝남", open: "끝까지 남음" };
export const SAMPLE_WORD = "단어";
export const PRUNED = "버려짐";
