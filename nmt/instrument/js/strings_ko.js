// strings.js in Korean.

export const TEXTS = {
  LOCALE: "ko",

  // The sentence and its answer
  SENTENCE: "문장",
  SENTENCE_IN: "{language} 문장",
  TRANSLATE: "번역",
  TRANSLATIONS: "번역문",
  FAILED: "번역하지 못했습니다: {reason}",
  SILENT: "답이 오지 않았습니다.",

  // Ribbons and matrices
  KINDS: { rnnsearch: "RNNsearch", rnnencdec: "RNNencdec", "phrase-based": "구 기반", committee: "여러 모델", aligner: "단어 정렬기" },
  HINT: "단어를 가리키면 모델이 어디를 보았는지 나타납니다. 누르면 고정됩니다. 화살표 키도 쓸 수 있습니다.",
  DRAG_HINT: "리본의 끝을 끌면 모델이 다른 단어를 보게 됩니다.",
  CROSS_HINT: "원문 단어의 ×를 누르면 그 단어를 뺍니다.",
  RIBBON_KIND: "{kind} · log p {nats} nats",
  MATRIX_KIND: "{kind}, log p = {nats} nats",
  ONE_VECTOR: "{kind}: 문장 전체를 벡터 하나에 담음, alpha 없음",
  FORCED: "{kind}, 주어진 번역문",
  MAPS: {
    alpha: "정렬 가중치 alpha", "leave-one-out": "단어를 뺄 때의 효과", posterior: "링크의 사후 확률",
    head: "헤드의 가중치", links: "링크", segmentation: "하나로 번역한 구",
    weights: "파일의 가중치",
  },
  MAP: "가중치",
  NOT_ALPHA: "어텐션이 아니라 {values}",
  LAYER: "{layer}번 층",
  HEAD: "{head}번 헤드",
  SCALE: "{symbol} 값의 색 척도, 0부터 1까지",
  SOURCE: "원문: {language}",
  TARGET: "번역문: {language}",
  NOTHING: "(없음: 모델이 곧바로 문장을 끝냈습니다)",
  CROSSES: "“{here}” 부분에서는 “{there}” 부분의 단어들이 반대 순서로 놓입니다. 그래서 리본이 엇갈립니다.",
  UNKNOWN_WORDS: "미등록 단어(모델이 {mark} 기호로 읽음): {words}.",
  REPLACED: "번역문의 {mark} 자리에는 다른 단어를 넣었습니다. 위의 리본에는 모델이 쓴 그대로 보입니다.",
  LONGER: "문장의 단어는 {words}개이고, 학습한 문장의 단어는 {trained}개까지였습니다.",
  WORD: "이 문장의 단어는 1개입니다.",
  WORDS: "이 문장의 단어는 {words}개입니다.",

  // What the reader changed
  LOOKS: "“{target}” 단어가 보는 단어: “{source}”",
  WITHOUT: "“{source}” 없이",
  LEAVE_OUT: "“{source}” 없이 번역",
  TAKE_BACK: "“{source}” 다시 넣어 번역",

  // Signs
  SIGNS: { HARDLY: "∅", OFTEN: "+", REPEATED: "↻" },
  HARDLY: "거의 보지 않음: 번역하지 않았을 수 있음",
  OFTEN: "자주 봄: 두 번 이상 번역했을 수 있음",
  REPEATED: "앞의 단어를 되풀이함",
  SURE: "{place}(실선): 확실한 정답 링크",
  POSSIBLE: "{place}(파선): 가능한 정답 링크",

  // Bars
  COVERAGE: "포함 정도",
  COVERAGE_EXPLAINED: "원문의 단어가 번역문의 모든 단어에서 받은 가중치의 합입니다. 점선은 1을 나타냅니다.",
  COVERAGE_OF: "포함 정도 {value}",
  ENTROPY: "엔트로피(비트)",
  ENTROPY_EXPLAINED:
    "번역문의 단어마다 가중치가 얼마나 넓게 퍼져 있는지 나타냅니다. 모든 가중치가 원문의 한 단어에 있으면 0비트, " +
    "원문의 모든 단어에 똑같이 있으면 {most}비트입니다. " +
    "빗금 친 부분은 문장 끝 토큰과 문장 부호에 놓인 가중치의 비율입니다.",
  ENTROPY_OF: "엔트로피 {bits}비트, 문장 끝 토큰과 문장 부호에 놓인 가중치 {share}%",
  WORD_SAID: "log p {nats} nats, 엔트로피 {bits}비트",
  ENTROPY_SAID: "엔트로피 {bits}비트",
  HATCHED: "빗금 막대: 가중치 가운데 문장 끝 토큰과 문장 부호가 받은 비율",

  // Panels
  MATRIX_HINT: "단어를 더 누르면 그 가중치가 더해집니다.",
  LETTERS: { alpha: "α", weights: "α", links: "링크", "leave-one-out": "효과" },
  SPOKEN: { alpha: "alpha", weights: "가중치", links: "링크", "leave-one-out": "효과" },
  OF_EFFECT: {
    HARDLY: "영향이 작음: 번역하지 않았을 수 있음", OFTEN: "영향이 큼: 두 번 이상 번역했을 수 있음",
  },
  STAND_IN_NOTE:
    "RNNencdec에는 alpha가 없습니다. 그 대신, 원문의 단어 하나를 빼면 모델이 쓴 각 단어의 확률이 얼마나 낮아지는지 보여 줍니다. 각 행은 그 합으로 나누었습니다.",
  WITHOUT_ROWS: {
    end: "문장 끝 토큰 제외", punctuation: "문장 부호 제외",
    both: "문장 끝 토큰과 문장 부호 제외",
  },
  DIVIDED: "{without}: 각 행의 합이 다시 1이 되도록, 남은 가중치를 그 합으로 나누었습니다.",
  ONE_EMPTY: "행 하나가 비어 있습니다. 그 행의 가중치는 전부 제외된 토큰에 있었습니다.",
  EMPTY: "{rows}개의 행이 비어 있습니다. 그 행들의 가중치는 전부 제외된 토큰에 있었습니다.",
  FRAME: "테두리",
  LINE: "가는 선",

  // Differences
  DIFFERENCE_OF: "{second} − {first}",
  CHANGE_OF: "{name}: {change}",
  AFTER_MINUS_BEFORE: "후 − 전",
  NEW_SOURCE: "새 원문 − 이전 원문, 같은 번역문",
  DIFFERENCE_VALUES: "alpha의 차이",
  DIFFERENCE_LETTER: "Δα",
  DIFFERENCE_SPOKEN: "차이",
  EFFECT_DIFFERENCE: "단어를 뺀 효과 값이 들어간 차이",
  NO_DIFFERENCE_OF_ATTENTION: "어텐션의 차이가 아니라 단어를 뺀 효과",
  MEAN_DIVERGENCE: "평균 옌센-섀넌 발산 {bits}비트",
  DIVERGENCE: "옌센-섀넌 발산 {bits}비트",
  ONLY_BEFORE: "바꾸기 전에만 있음",
  ONLY_AFTER: "바꾼 뒤에만 있음",
  OTHER_SOURCES: "차이를 볼 수 없음: 두 모델이 읽은 원문의 단어가 서로 다릅니다.",
  OTHER_TARGETS: "차이를 볼 수 없음: 두 모델이 쓴 번역문의 단어가 서로 다릅니다.",

  // What is shown
  EFFECT: "무엇이 영향을 주었는가?",
  RESET: "처음으로",
  NO_EFFECT: "이 변경은 여기 있는 어느 번역에도 해당하지 않습니다.",
  SEEN: {
    title: "보여 줄 것",
    options: { after: "바꾼 뒤", before: "바꾸기 전", change: "후 − 전", same: "새 원문, 같은 번역문" },
  },
  VIEW: "보기",
  CONTROLS: {
    show: { title: "리본 아래", options: { matrix: "행렬", links: "링크", both: "둘 다" } },
    switches: {
      title: "함께 보기", bars: "막대", end: "끝 표시", punctuation: "문장 부호",
      pieces: "서브워드", transposed: "번역문을 위에",
    },
    scale: {
      title: "색 눈금",
      options: {
        paper: "논문: 0 검정, 1 하양", "light-paper": "밝게: 0 하양, 1 검정",
        "colour-blind-safe": "색각 이상에도 구별되는 색", "square-root": "제곱근", log: "로그",
      },
    },
    layout: { title: "링크 배치", options: { auto: "자동", horizontal: "위아래로", vertical: "나란히" } },
    by: { title: "링크 거르기", options: { weight: "가중치", mass: "비율" } },
    least: { title: "최솟값" },
  },
};
