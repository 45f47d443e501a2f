"""Texts of the figures and views in Korean."""

# Alignments
SOURCE = "원문"
TARGET = "번역문"
ALPHA_VALUES = "정렬 가중치 alpha"
HATCHED_BARS = "빗금 막대: 가중치 가운데 문장 끝 토큰과 문장 부호가 받은 비율"

# A map in place of alpha
EFFECT = "단어를 뺀 효과"
NOT_ATTENTION = f"어텐션이 아니라 {EFFECT}"
HATCHED_ROW = f"빗금 행: {NOT_ATTENTION}"
POSTERIOR_SCALE = "사후 확률"
ALIGNER_SCALE = "정렬기"
NOT_ATTENTION_DIFFERENCE = f"어텐션의 차이가 아니라 {EFFECT}"

# Gold links, and cells that stand out for another reason
RING = "고리: {meaning}"
FRAME = "테두리"
THIN_LINE = "가는 선"
SURE_LINK = "{place}(실선): 확실한 정답 링크"
POSSIBLE_LINK = "{place}(파선): 가능한 정답 링크"

# Colour scales
SCALES = {
    "paper": "논문: 0 검정, 1 하양",
    "light paper": "밝게: 0 하양, 1 검정",
    "colour-blind safe": "색각 이상에도 구별되는 색",
    "square root": "제곱근",
    "log": "로그",
}
DIFFERENCE_SCALE = "차이"
EFFECT_SCALE = "단어를 뺀 효과"
TRANSFORMS = {"square root": "제곱근", "log": "로그"}
SCALE_SPOKEN = "{symbol} 색 눈금, 최소 {low:g}, 최대 {high:g}"
SCALE_TRANSFORMED_SPOKEN = "{symbol} 색 눈금, 최소 {low:g}, 최대 {high:g}, {transform} 눈금"

# Alpha beside the effect of leaving words out
ALPHA_BARS = "alpha: 문맥 벡터에 들어간 가중치"
EFFECT_BARS = "단어를 뺀 효과의 비율"

# Scores over length
SIDES = {"source": "원문", "reference": "참조 번역"}
WORDS_OF = "{side} 단어 수"
WORDS_IN_WINDOWS = "{side} 단어 수, 이동 창의 너비 {widest}"
WITHOUT_UNK = "{metric}, UNK 없음"
KNOWN_WORDS = "{metric}, 미등록 단어가 없는 문장"
SENTENCES = "문장 수"
AT_MEAN_LENGTH = "점수는 그 문장들의 평균 길이 자리에 표시"
BANDS = "띠: 95% 구간"
EXPECTED = "회색 점선: 학습에서 본 n-gram의 비율만 길이에 따라 달라진다면 예상되는 BLEU"
TRAINING_MARKS = "위의 표시: 가장 긴 학습 문장(토큰화한 단어 수)"
TRAINED_TO = "{length}단어까지 학습"
TRAINED_TO_LONGER = "{names}: 토큰화한 단어가 {length}개 이하인 문장으로 학습"
SCORE_POINT = (
    "<b>{name}</b><br>단어 수 %{{customdata[1]}}: {metric} %{{y:.1f}}%{{customdata[3]}}<br>문장 "
    "%{{customdata[2]:,}}개, 평균 %{{x:.1f}}단어<extra></extra>"
)
INTERVAL = "(95%: {low:.1f} ~ {high:.1f})"
EXPECTED_POINT = (
    "단어 수 %{customdata[1]}: 학습에서 본 n-gram의 비율만<br>길이에 따라 달라진다면 예상되는 "
    "BLEU %{y:.1f}<extra></extra>"
)
COUNT_POINT = "단어 수 %{customdata[1]}: 문장 %{y:,}개<extra></extra>"

# The learning curve
TRAINING = "학습"
DEVELOPMENT = "검증"
BEST = "가장 좋음(저장됨)"
UPDATES = "갱신 횟수"
NLL = "NLL(번역문 토큰당 nats)"
LOSS_POINT = "갱신 %{{x:,}}번: %{{y:.3f}} nats<extra>{name}</extra>"

# The stress test
STRESS_TITLES = {
    "bleu": "BLEU",
    "kept": "BLEU 유지율",
    "log_probability": "참조 번역의 단어당 log p(nats)",
    "length_ratio": "길이 비율",
    "least_coverage": "최소 포함 정도",
    "mean_coverage": "평균 포함 정도",
}
STRESS_EXPLAINED = {
    "bleu": "sacreBLEU로 구한 말뭉치 BLEU이며, 묶음이 열 개 이상이면 막대로 95% 구간을 표시합니다.",
    "kept": "BLEU를, 같은 문장을 따로 번역하여 이어 붙였을 때의 BLEU로 나눈 값입니다.",
    "log_probability": "참조 번역의 로그 확률(단어당 nats)이며, 어휘는 체크포인트마다 다릅니다.",
    "length_ratio": "번역의 토큰 수를 참조 번역의 토큰 수로 나눈 값이며, 1 미만이면 빠진 단어가 있습니다.",
    "least_coverage": (
        "어텐션을 가장 적게 받은 원문 단어가 번역문의 모든 단어에서 받은 어텐션의 평균이며, alpha가 있을 때만 구합니다."
    ),
    "mean_coverage": "원문 단어 하나가 번역문의 모든 단어에서 받은 어텐션의 평균이며, alpha가 있을 때만 구합니다.",
}
TOGETHER = "이어 붙인 문장 수"
STRESS_POINT = (
    "문장 %{{x}}개 이어 붙임: %{{y:.{decimals}f}}<br>글 %{{customdata[0]}}개, 평균 %{{customdata[1]:.1f}}단어"
    "<extra>{name}</extra>"
)

# The small Figure 2
CURVE = "{test_set} 테스트 세트, 이어 붙인 문장의 BLEU"
CURVE_X = "원문의 단어 수"
CURVE_ENDS = "{name}: {begin:.0f}단어에서 {first:.1f}, {end:.0f}단어에서 {last:.1f}"

# Alignment error rate over the least weight
LEAST_WEIGHT = "링크의 최소 가중치"
AER_POINT = "최소 가중치 %{{x:.2f}}: AER %{{y:.1f}}%<extra>{name}</extra>"

# LaTeX
LATEX_CAPTION = (
    "\\texttt{{{checkpoint}}} 체크포인트의 {values}(가중치 \\texttt{{{weights}}}, 빔 너비 {beam}). 열: ``{sentence}''. "
    "행: ``{translation}''."
)
LATEX_ALTERNATIVE = "{values} 행렬: 행마다 번역문의 단어 하나, 열마다 원문의 단어 하나."
