"""Sentences in which records describe themselves in Korean."""

# A paired test
SENTENCES = ("문장 {count:,}개", "문장 {count:,}개")
"""For one, and for any other number."""
NOTHING_TO_COMPARE = "비교할 문장이 없습니다"
BETTER = "{name} 쪽이 더 좋습니다: 차이 {lead}"
AHEAD = "{sentences}만으로는 우열을 가릴 수 없습니다. {name} 쪽이 앞섭니다: 차이 {lead}"
EQUAL = "{sentences}만으로는 우열을 가릴 수 없습니다. 두 쪽의 {metric} 점수가 같습니다"
LEAD = "{metric} {points}점{details}"
INTERVAL = "(95%: {low} ~ {high})"
TOO_FEW = ", 검정하기에는 문장이 너무 적음"
P_CORRECTED = ", {p}(검정 {tests}번에 맞추어 보정)"

# One cell of alpha
ATTENDED = "“{word}” 단어가 “{source_word}” 단어에 준 어텐션은 전체의 {share:.0%}입니다"
NOT_ATTENDED = "“{word}” 단어는 원문의 어느 한 단어도 보지 않고 쓴 것입니다"
PROBABILITY = "{begin}. 번역문 단어의 확률은 {p:.2f}입니다."
PROBABILITY_STAYS = "{begin}. “{removed}” 단어를 빼도 번역문 단어의 확률은 {p:.2f} 그대로입니다."
PROBABILITY_FALLS = "{begin}. “{removed}” 단어를 빼면 번역문 단어의 확률이 낮아집니다: {p:.2f} → {without:.2f}."
PROBABILITY_RISES = "{begin}. “{removed}” 단어를 빼면 번역문 단어의 확률이 높아집니다: {p:.2f} → {without:.2f}."
