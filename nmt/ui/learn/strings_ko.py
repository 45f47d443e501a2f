"""Texts of the place Learn in Korean. A template has named fields; a pair is singular and plural.

Those of its drawings are in ``strings.js`` of ``nmt/charts/step_view``, ``beam_view`` and ``film_view``.
"""

# The views, and the line at their top
VIEWS = {
    "how": "작동 방식",
    "beam": "빔 서치",
    "explanation": "alpha의 한계",
    "training": "학습 과정",
    "draw": "먼저 그려 보기",
}
SENTENCE = "문장"

# How it works: the form
CHOOSE = {"rnnsearch": "어텐션 있음(RNNsearch)", "rnnencdec": "어텐션 없음(RNNencdec)"}
TOO_LONG_TO_DRAW = (
    "이 문장은 {words}단어입니다. {most}단어가 넘는 그림은 읽을 수 없습니다. 더 긴 문장은 “보기”에서 "
    "번역할 수 있습니다."
)
UNKNOWN_TO_MODELS = "모델들이 [UNK]로 읽은 미등록 단어: {words}."
PREDICTS_FROM_NEW_STATE = (
    "{name} 모델은 식 4처럼 y_i를 s_i에서 예측합니다. 이 그림은 s_{{i−1}}에서 예측하는 모델을 보여 줍니다."
)
AFTER_FIGURE_1 = "논문의 그림 1을 본떠 그렸습니다. 수는 이 문장에서 {names} 모델이 계산한 값입니다."
UNITS = "단위"
UNITS_CHOICES = {"words": "온전한 단어", "pieces": "모델이 쓰는 서브워드"}
IN_WORDS = (
    " 이 모델들은 서브워드로 읽고 쓰지만, 여기서는 한 단어의 서브워드를 묶어 하나로 보여 줍니다. 원문 "
    "단어의 가중치는 그 서브워드들의 가중치를 더한 값입니다. 번역문 단어의 가중치와 벡터는 그 서브워드들의 "
    "평균이고, 확률은 그 확률들의 곱입니다."
)
QUERY_KEY_VALUE = (
    " 이후 논문의 용어로는 상태 sᵢ₋₁이 쿼리(query)입니다. 주석 벡터 hⱼ는 Uₐhⱼ 형태로 키(key)가 되고, 그 자체로 "
    "값(value)이 됩니다."
)
PIECES = " 이 모델들은 서브워드로 읽고 씁니다. 앞에 점이 있는 서브워드는 앞의 것과 한 단어를 이룹니다."

# How it works: what to see at each stage of a step
READ = (
    "인코더가 원문의 토큰 {count}개(문장 끝 토큰 {end} 포함)를 양방향으로 모두 읽었습니다. 토큰마다 수 "
    "{numbers:,}개로 된 주석 벡터를 하나씩 남깁니다. 아직 아무것도 쓰지 않았습니다."
)
READ_WITHOUT_ATTENTION = (
    "인코더가 원문의 토큰 {count}개(문장 끝 토큰 {end} 포함)를 왼쪽에서 오른쪽으로 모두 읽었습니다. 문장이 "
    "아무리 길어도 마지막 상태 하나, 곧 수 {numbers:,}개만 넘겨줍니다."
)
FIRST_STATE = "첫 상태 s₀ 값은 “{word}” 자리의 역방향 상태로 만듭니다. 이 상태는 문장 끝에서부터 전체를 읽은 것입니다."
FIRST_STATE_WITHOUT_ATTENTION = "첫 상태 s₀ 값은 인코더의 마지막 상태로 만듭니다."
STATE = "이제 상태는 지금까지 쓴 내용을 나타냅니다: “{written}”."
RENEWED = " 바로 앞 단계에서 각 유닛의 값은 평균 {share:.0%}만큼 바뀌었고, 나머지는 그대로 남았습니다."
SCORES = (
    "상태를 모든 주석 벡터와 비교합니다. 가장 낮은 점수는 {low}(“{low_word}”), 가장 높은 점수는 "
    "{high}(“{high_word}”)입니다. 점수가 가장 높은 단어가 다음에 쓸 단어와 가장 잘 맞습니다."
)
WEIGHTS = "소프트맥스가 점수를 합이 1인 가중치로 바꿉니다. 가장 큰 가중치는 “{word}” {share:.0%}입니다."
WEIGHTS_OF_TWO = (
    "소프트맥스가 점수를 합이 1인 가중치로 바꿉니다. 가장 큰 가중치는 “{word}” {share:.0%}, 그다음은 "
    "“{second}” {second_share:.0%}입니다."
)
SPREAD = " 단어 약 {words:.0f}개가 가중치를 나누어 가집니다."
CONTEXT = (
    "이 가중치로 주석 벡터들을 섞으면 문맥 벡터 c가 됩니다. 이 벡터는 “{word}” 자리의 주석 벡터와 "
    "{likeness}(코사인 {cosine:.2f})."
)
LIKENESS = {"equal": "거의 같습니다", "alike": "비슷합니다", "mixed": "일부만 비슷합니다"}
CONTEXT_WITHOUT_ATTENTION = (
    "디코더는 어느 단어를 쓸 때나 똑같은 벡터 c(수 {numbers:,}개)를 받습니다. 점수도 가중치도 없으므로 "
    "원문의 단어를 하나하나 볼 수 없습니다."
)
WORD = "확률이 가장 높은 다음 단어는 “{word}”(p = {p})입니다."
WORD_BEFORE = "확률이 가장 높은 다음 단어는 “{word}”(p = {p}), 그다음은 “{second}”({second_p})입니다."
WORD_WRITTEN = "빔 서치가 쓴 단어는 “{word}”(p = {p})입니다."
WORD_OF_LOWER_RANK = (
    "빔 서치가 쓴 단어는 “{word}”(p = {p})입니다. 확률로 보면 여기서 {rank}번째일 뿐이고, 첫 번째는 "
    "“{first}”({first_p})입니다. 그러나 빔 서치는 번역 전체를 비교하며, 그 결과 이 번역이 가장 좋았습니다."
)
WENT_BACK = " 이 단어를 쓰려고 어텐션은 원문에서 {places}자리를 되돌아가 “{word}” 쪽을 보았습니다."
JUMPED_AHEAD = " 이 단어를 쓰려고 어텐션은 원문에서 {places}자리를 나아가 “{word}” 쪽을 보았습니다."
VERY_SMALL = "0.01 미만"

# How it searches
MODEL = "모델"
FIRST_WORDS = "빔 서치를 시작할 말"
HAD_TO_BEGIN = "다음 말에서 시작한 빔 서치: {words}"
FROM_THE_START = "처음부터 빔 서치"
WEIGHTS_OF_CHOSEN = "고른 가설의 가중치"
SAME_AS_GREEDY = (
    "결과는 매번 확률이 가장 높은 다음 단어로만 이루어져 있습니다. 빔 너비가 1이어도 같은 번역을 찾았을 것입니다."
)
NOT_GREEDY = (
    "결과는 확률이 가장 높은 다음 단어로만 이루어져 있지 않습니다. {number}번째 단어에서 빔 서치는 확률이 "
    "더 낮은 단어도 남겨 두었고, 그 단어로 이어진 번역이 전체로는 가장 좋았습니다. 빔 너비가 1이었다면 "
    "다른 번역을 썼을 것입니다."
)

# What alpha is not
WHAT_ALPHA_IS_NOT = (
    "alpha는 단어를 고르기 **전에** 주석 벡터들을 어떻게 섞었는지 말해 줍니다. 원문의 어느 단어 때문에 그 "
    "단어를 골랐는지는 말해 주지 않습니다. 주석 벡터는 이웃한 단어들도 나타내고, 디코더는 자신이 지금까지 "
    "쓴 것을 알기 때문입니다. 그래서 여기서 한 번 더 살펴봅니다. 원문의 단어 하나를 빼고 나머지를 다시 "
    "읽히면, 번역문의 같은 단어의 확률이 낮아지기도 하고 그렇지 않기도 합니다. 둘 가운데 어느 쪽도 완전한 "
    "설명은 아닙니다."
)
NO_ATTENTION = "여기에는 어텐션이 있는 체크포인트가 없으므로 살펴볼 alpha가 없습니다."
NOTHING_WRITTEN = "모델이 아무것도 쓰지 않았으므로 살펴볼 단어가 없습니다."
WORD_OF_TRANSLATION = "번역문의 단어"
DISAGREEMENT = (
    "{name}: 번역문의 단어 {words}개 가운데 ≠ 표시가 있는 {differing}개에서, alpha가 가리키는 원문 단어와 "
    "단어를 뺀 효과가 가리키는 원문 단어가 다릅니다."
)
END_OF_SENTENCE = "(끝)"
TO_WRITE = "“{word}” 단어를 쓸 때: {said}"
FALLS = "“{source}” 단어의 가중치는 {weight:.0%}입니다. 이 단어를 빼면 확률이 낮아집니다({before:.2f} → {after:.2f})."
RISES = "“{source}” 단어의 가중치는 {weight:.0%}입니다. 이 단어를 빼면 확률이 높아집니다({before:.2f} → {after:.2f})."

# How it learned
NO_STEPS = (
    "여기에는 학습하는 동안 가중치를 저장해 둔 체크포인트가 없습니다. `jointly train scrubber_128 --data "
    "PREPARED --run NAME` 명령으로 그런 체크포인트를 학습할 수 있습니다. 어느 갱신에서 저장할지는 `--keep` "
    "옵션으로 정합니다."
)
TRAINING = "학습"
A_TRAINING = "학습 실행"
FOLLOW = "따라갈 번역"
FOLLOW_CHOICES = {
    "own": "각 스냅샷의 번역",
    "final": "마지막 번역",
    "mine": "내가 쓴 문장",
}
FOLLOW_HELP = (
    "각 스냅샷의 번역: 행렬마다 그 스냅샷에서 모델이 쓴 번역문의 alpha를 보여 줍니다. 마지막 "
    "번역이나 내가 쓴 문장: 모델이 모든 스냅샷에서 같은 번역문을 써야 하므로 alpha만 바뀌고, 스냅샷들을 "
    "행별로 비교할 수 있습니다."
)
TARGET = "모든 스냅샷이 정렬할 번역문"
TARGET_PLACEHOLDER = "입력하지 않으면 마지막 번역"
TOO_LONG_FOR_FILM = (
    "{words}단어로 된 문장은 작은 행렬로 보여 주기에 너무 깁니다. {most}단어까지 보여 줄 수 있습니다. 더 "
    "긴 문장은 “보기”에서 번역할 수 있습니다."
)
A_SNAPSHOT = "스냅샷"
SNAPSHOT = "스냅샷"
STEPS_UNIT = "스냅샷"
ALL_STEPS = "모든 스냅샷의 표"
SAME_TARGET = "엔트로피와 두 번째 로그 확률은 모든 스냅샷에서 다음과 같은 하나의 번역문으로 계산했습니다:"
PANEL = "{name}, 갱신 {updates:,}번"
WHICH_TRAINING = "{name} 모델의 학습 과정입니다."
WHICH_TRAINING_AND_WHAT = "{name} 모델의 학습 과정입니다. 모델 소개: {about}."
ABOUT_RECIPES = {
    "scrubber_128": "alpha가 어떻게 학습되는지 보여 주려고 학습한, 유닛 128개의 작은 RNNsearch(scrubber는 "
    "동영상 재생기의 재생 위치 막대)",
}
NOT_SHARPER = "alpha가 더 뚜렷해지지 않습니다. 엔트로피가 최대 {most:.1f}비트 가운데 {bits:.1f}비트에 머무릅니다."
SHARPER = (
    "alpha는 갱신 {before:,}번과 {after:,}번 사이에 가장 많이 뚜렷해집니다. 평균 엔트로피가 "
    "{from_bits:.1f}비트에서 {to_bits:.1f}비트로 줄어듭니다. 원문의 모든 단어의 가중치가 같으면 "
    "{most:.1f}비트, 한 단어에 모든 가중치가 있으면 0비트입니다."
)
TRANSLATION = "번역"
ITS_LOG_PROBABILITY = "이 번역의 로그 확률"
SAME_LOG_PROBABILITY = "같은 번역문의 로그 확률"
MEAN_ENTROPY = "alpha의 평균 엔트로피"
BITS = "{bits:.2f}비트"

# Draw it first
NO_PAIRS = "testsets/jointly-150의 문장 쌍이 여기에 없습니다."
ANOTHER_PAIR = "다른 문장 쌍"
TASK = "문장 쌍 {number}/{count}. 서로 짝이 되는 단어의 칸을 누른 다음 “alpha 보이기”를 누르십시오."
UNCOVER = "alpha 보이기"
COVER = "alpha 다시 가리기"
BEGIN_AGAIN = "내 링크 지우기"
YOU = "나"
HINT = (
    "칸을 누르면 그 두 단어가 링크로 이어지고, 다시 누르면 링크가 없어집니다. 화살표 키와 Enter 키로도 할 수 있습니다."
)
OWN_LINKS = "내가 이은 링크"
WHO = "누가"
AER_HELP = "정렬 오류율: 0%이면 사람이 만든 정답 링크와 같습니다."
AGAINST_GOLD = (
    "testsets/jointly-150에 있는, 사람이 만든 정답 링크와 비교한 값입니다. 체크포인트는 번역문의 단어마다 "
    "alpha가 가장 큰 원문 단어를 링크로 잇고, 정렬기는 여러 체크포인트의 사후 확률을 합칩니다."
)
