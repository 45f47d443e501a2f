"""Texts of what all places of the app share in Korean."""

LANGUAGES = {
    "ar": "아랍어",
    "cs": "체코어",
    "de": "독일어",
    "en": "영어",
    "es": "스페인어",
    "fi": "핀란드어",
    "fr": "프랑스어",
    "it": "이탈리아어",
    "ja": "일본어",
    "ko": "한국어",
    "nl": "네덜란드어",
    "pl": "폴란드어",
    "pt": "포르투갈어",
    "ru": "러시아어",
    "zh": "중국어",
}

# The frame around every page
LOOK = "보기"
LENGTH = "길이"
LEARN = "배우기"
MODELS = "모델"
PRESENT = "발표"
LOOK_QUESTION = "번역 모델은 단어를 하나씩 쓸 때마다 어디를 보는가?"
LENGTH_QUESTION = "문장이 길어지면 무엇을 잃는가?"
LEARN_QUESTION = "어텐션은 어떻게 작동하고 어떻게 학습되는가?"
MODELS_QUESTION = "어느 체크포인트가 무엇을 가장 잘하며, 어디에서 왔는가?"
PRESENT_QUESTION = "어텐션은 문장에 어떤 도움이 되는가?"
A_PAGE = "페이지"
VIEW = "화면"
LENGTH_VIEWS = {"curve": "길이에 따른 BLEU", "together": "문장 이어 붙이기"}
NOT_THERE = "주소가 가리키는 {what} 항목이 없습니다: “{value}”."
NO_SUCH_CHOICE = "주소에 “{title}” 항목의 “{value}” 값이 있지만, 그런 선택지는 없습니다."
NOT_IN_VIEW = "주소에 “{title}” 항목의 “{value}” 값이 있지만, 이 화면에는 그 항목이 없습니다."
OUTSIDE = "주소에 “{title}” 항목의 “{value}” 값이 있지만, 여기에는 {least} 이상 {most} 이하의 수만 쓸 수 있습니다."

# Numbers and lists
AND = ", "
NOT_KNOWN = "알 수 없음"
PAIR = "{source} → {target}"
SECONDS = "{seconds}초"
MINUTES = "{minutes}분"
MINUTES_AND_SECONDS = "{minutes}분 {seconds}초"
HOURS_AND_MINUTES = "{hours}시간 {minutes}분"

# Forms
SETTINGS = "설정"
EXAMPLE_MENU = "예문"
EXPORT = "내보내기"
A_TEST_SET = "테스트 세트"
TEST_SET = "테스트 세트"
GO_ON = "계속"
REMOVE = "제거"
DELETE = "삭제"
DRAWING = "그리는 중 …"
MISSING_GLYPHS = "다음을 모두 그릴 수 있는 글꼴이 여기에 없습니다: {words}."
UNKNOWN_WORDS = "이 모델이 [UNK]로 읽은 미등록 단어: {words}."
PRECISION = "정밀도"
RECALL = "재현율"
GOLD_LINKS = "정답 링크"
LINKS = "링크"
LINK = "링크"
SCORE = "점수"
SENTENCES = "문장"
UPDATES = "갱신"
NO_CHECKPOINT = (
    "아직 체크포인트가 없습니다. checkpoints/ 폴더에 실행 폴더를 넣거나 `jointly train` 명령으로 하나를 "
    "학습하십시오. 첫 가중치가 저장되는 대로 여기에 나타납니다."
)
CHOOSE_CHECKPOINT = "체크포인트를 하나 이상 고르십시오."
CHECKPOINTS = "체크포인트"
A_CHECKPOINT = "체크포인트"
COLUMN = "문장"
COLUMNS = {"all": "모든 문장", "known": "미등록 단어가 없는 문장"}
BROKEN = "{name} 체크포인트를 사용할 수 없습니다: {problem}"
UNEQUAL_UPDATES = "학습량이 서로 다릅니다: {updates}."
TRAINED_CONCATENATED = "다음 체크포인트는 이어 붙인 문장으로도 학습했습니다: {names}."
UPDATES_OF = "{name} 갱신 {updates:,}번"
SCORES_ARE_READ = "점수를 읽는 중 …"
LANGUAGE_FIELD = "언어"
NOTHING_WRITTEN = "(없음: 모델이 곧바로 문장을 끝냈습니다)"
BEAM = "빔 너비"
UNKNOWN_CHOICES = {"keep": "그대로", "forbid": "금지", "replace": "바꾸기"}
UNKNOWN_HELP = (
    "[UNK]는 모델의 어휘에 없는 단어를 나타냅니다. 그대로: 모델이 쓴 대로 보여 줍니다. 금지: 모델이 "
    "[UNK]를 쓸 수 없습니다. 바꾸기: alpha가 가장 큰 원문 단어의 번역을 체크포인트의 사전에서 찾아 그 "
    "자리에 넣습니다. 사전에 없는 단어는 그대로 옮겨 적습니다."
)
TOO_LONG = (
    "이 글은 {words}단어, {characters}자입니다. 한 문장은 {most_words}단어, {most_characters}자까지 쓸 수 "
    "있습니다. 긴 글이나 파일 전체를 번역하려면 “보기”에서 “글 또는 파일”을 고르거나 `jointly translate` "
    "명령을 쓰십시오."
)
ONE_SENTENCE = "줄 바꿈은 빈칸으로 읽습니다. 전체를 한 문장으로 번역합니다."
INVITATION = "위에 문장을 입력하고 **Enter** 키를 누르거나, 다음 가운데 하나로 시작하십시오:"

# Why a translation may mean little
MEANS_LITTLE = (
    "{reason} {names} 모델은 {language} 원문을 읽으므로, 여기서는 번역과 가중치에 큰 의미가 없습니다.",
    "{reason} {names} 모델은 {language} 원문을 읽으므로, 여기서는 번역과 가중치에 큰 의미가 없습니다.",
)
IN_OTHER_WRITING = "이 글에 쓰인 문자: {writing}."
IN_OTHER_LANGUAGE = "이 글은 {language} 문장으로 보입니다."
ALL_UNKNOWN = ("하나뿐인 단어가 미등록 단어입니다.", "단어 {count}개가 모두 미등록 단어입니다.")
MOSTLY_UNKNOWN = "단어 {words}개 가운데 {unknown}개가 미등록 단어입니다."

# Progress
WAITING = "다른 작업이 끝나기를 기다리는 중 …"
STARTING = "시작하는 중"
STAGE = "{stage} …"
PROGRESS = "{stage}: {done} / {total} {unit}"
RATE = "초당 {rate}단어"
TIME_LEFT = "약 {time} 남음"
CANCEL = "취소"
TRANSLATE_STAGE = "번역"
WORDS_AT_MOST = "단어(상한)"
SUBWORDS_AT_MOST = "서브워드(상한)"

# Panels of alignments
SOURCE = "원문"
TARGET = "번역문"
SOURCE_IN = "원문: {language}"
TARGET_IN = "번역문: {language}"
ENTROPY = "엔트로피 {bits}비트"
COVERAGE = "포함 정도 {value}"
COVERAGE_BARS = "포함 정도"
COVERAGE_BARS_HELP = "원문의 단어가 번역문의 모든 단어에서 받은 가중치의 합입니다. 점선은 1을 나타냅니다."
ENTROPY_BARS = "엔트로피(비트)"
ENTROPY_BARS_HELP = (
    "번역문의 단어마다 가중치가 얼마나 넓게 퍼져 있는지 나타냅니다. 모든 가중치가 원문의 한 단어에 있으면 "
    "0비트, 원문의 모든 단어에 똑같이 있으면 {most}비트입니다. 빗금 친 부분은 문장 끝 토큰과 문장 부호에 "
    "놓인 가중치의 비율입니다."
)
ENTROPY_WITH_SHARE = "엔트로피 {bits}비트, 문장 끝 토큰과 문장 부호에 놓인 가중치 {share}"
DIFFERENCE_VALUES = "alpha의 차이"
DIFFERENCE_SPOKEN = "차이"
MEAN_DIVERGENCE = "평균 옌센-섀넌 발산 {bits}비트"
DIVERGENCE = "옌센-섀넌 발산 {bits}비트"

# Maps of a translation beside alpha
POSTERIOR = "사후 확률"
LEAVE_ONE_OUT = "단어 하나 빼기"
ALIGNER = "정렬기 {name}"

# Terms of the field in one or two plain sentences, for help texts where a page first uses them
GLOSSARY = {
    "attention": "모델은 단어를 하나 쓸 때마다 모두 합해 1인 가중치를 원문의 단어들에 나누어 줍니다. 이 "
    "가중치 alpha는 원문의 각 단어가 계산에 얼마나 들어가는지 나타냅니다.",
    "encoder": "모델에서 원문을 읽어 수로 바꾸는 부분입니다.",
    "decoder": "모델에서 번역문을 한 단어씩 차례로 쓰는 부분입니다.",
    "state": "디코더가 지금까지 쓴 내용을 담아 두는 수들입니다. 단어를 쓸 때마다 바뀝니다.",
    "annotation": "인코더가 원문의 단어 하나에 대해 계산한 주석 벡터입니다. 문장 안에서 그 단어가 어떤 "
    "단어인지 나타내는 수의 목록입니다.",
    "context": "주석 벡터에 어텐션의 가중치를 곱해 더한 문맥 벡터입니다. 디코더는 단어 하나를 쓸 때 "
    "원문을 이 벡터로 봅니다.",
    "beam": "빔 서치는 단어를 쓸 때마다 아직 끝나지 않은 번역을 이 수만큼 남기고, 그 가운데 확률이 가장 "
    "높은 것들을 이어 갑니다. 빔 너비가 1이면 늘 확률이 가장 높은 다음 단어를 고릅니다.",
    "nats": "로그 확률의 단위로, 확률의 자연로그입니다. 0 nats는 확실함, −0.69 nats는 2분의 1, "
    "−2.3 nats는 10분의 1을 뜻합니다.",
    "entropy": "가중치가 얼마나 넓게 퍼져 있는지를 비트로 나타낸 것입니다. 모든 가중치가 한 단어에 있으면 "
    "0, 두 단어가 똑같이 나누어 가지면 1, 네 단어가 똑같이 나누어 가지면 2입니다.",
    "coverage": "원문의 단어 하나가 번역문의 모든 단어에서 받은 가중치의 합입니다. 보통 1쯤이며, 0에 "
    "가까우면 모델이 그 단어를 거의 보지 않은 것입니다.",
    "BLEU": "번역이 사람의 번역과 얼마나 일치하는지를 0부터 100까지로 나타낸 것입니다. 한 단어에서 네 "
    "단어까지 이어진 말이 양쪽에 함께 나오는 비율이며, 너무 짧은 번역은 값을 낮춥니다.",
    "AER": "정렬 오류율입니다. 단어 링크가 사람이 만든 정답 링크와 얼마나 다른지를 0%(같음)부터 100%까지로 나타냅니다.",
    "checkpoint": "학습의 한 시점에서 저장한 모델의 가중치입니다. 번역에 필요한 것이 모두 함께 있습니다.",
    "loss": "학습으로 줄이는 값입니다. 모델이 올바른 다음 단어의 확률을 얼마나 낮게 보는지를 토큰마다 "
    "nats로 나타냅니다.",
    "leave-one-out": "원문에서 단어 하나를 빼면 번역문에 쓴 단어의 확률이 얼마나 낮아지는지 나타냅니다.",
}
