"""Texts of the place Look in Korean."""

# Languages, checkpoints, sentence or text
CHECKPOINTS = "비교할 체크포인트"
CHOOSE_CHECKPOINTS = "체크포인트 고르기"
READ_AS = "입력한 글을 {language} 글로 읽습니다. 다른 언어를 읽으므로 제외한 체크포인트: {names}."
MODE = "번역 대상"
MODES = {"sentence": "문장", "text": "글 또는 파일"}
AS_TEXT = ("글로 번역", "{count}문장으로 나누어 번역")
ONE_BY_ONE = "한 문장씩 더하기"
TRANSLATE = "번역"

# The picture of a sentence
INTRODUCTION = (
    "Jointly: Bahdanau, Cho, Bengio(2014)의 두 모델, 어텐션이 있는 RNNsearch와 어텐션이 없는 RNNencdec입니다. "
    "작은 모델이라 틀릴 때가 있습니다."
)
HINT_DRAG = (
    "단어를 가리키면 모델이 어디를 보았는지 나타납니다. 누르면 고정됩니다. 리본을 끌면 다른 곳을 보게 할 수 있습니다."
)
HINT = "단어를 가리키면 모델이 어디를 보았는지 나타납니다. 누르면 고정됩니다. 화살표 키도 쓸 수 있습니다."
KIND_WITHOUT_ALPHA = "{kind}: 문장 전체를 벡터 하나에 담음, 어텐션 없음"
LOST = (
    "RNNencdec 모델이 여기서 길을 잃었습니다. RNNsearch 모델은 자기 번역을 확신하는데, "
    "RNNencdec 모델이 쓴 단어는 대부분 그와 다릅니다."
)
HARDLY_SEEN = "학습에서 거의 보지 못한 단어: {words}."
REPLACED = (
    "[UNK] 자리마다 alpha가 가장 큰 원문 단어를 사전에서 찾아 그 번역을 넣고, "
    "사전에 없으면 원문 단어를 그대로 넣은 결과: {text}"
)
LOOKED = "[UNK] 자리에서 가장 많이 본 단어: {places}. 그 단어를 대신 넣은 결과: {text}"
NOT_REPLACED = "RNNencdec에는 alpha가 없으므로 [UNK] 자리에 다른 단어를 넣을 수 없습니다."
LONGER_THAN_TRAINED = "문장의 단어는 {words}개이고, 학습한 문장의 단어는 {most}개까지였습니다."

# The small Figure 2
FIGURE_SPOKEN = "{curves} 위 문장의 단어는 {words}개입니다."
WORDS = ("이 문장의 단어는 {count}개입니다.", "이 문장의 단어는 {count}개입니다.")
STANDING = (
    "{here} {name} 모델은 {shortest}~{longest}단어 길이의 테스트 문장 {sentences}개를 번역했습니다. "
    "그 가운데 토큰당 log p가 이 번역보다 낮은 것의 비율: {share}."
)
CURVE_BEGINS = "곡선은 {words}단어에서 시작합니다. 점수를 매긴 가장 짧은 글들의 평균 길이입니다."
CURVE_ENDS = "곡선은 {words}단어에서 끝납니다. 점수를 매긴 가장 긴 글들의 평균 길이입니다."
WITHOUT_CURVE = (
    "{names}: 곡선이 없습니다. {test_set} 테스트 세트의 이어 붙인 문장으로 점수를 매기지 않았습니다.",
    "{names}: 곡선이 없습니다. {test_set} 테스트 세트의 이어 붙인 문장으로 점수를 매기지 않았습니다.",
)
NO_CURVE = "이 체크포인트에는 저장된 곡선이 없습니다. “길이” 페이지에서 잴 수 있습니다."

# Whole texts: the form
TEXT = "글"
TEXT_PLACEHOLDER = "글을 입력하거나 붙여 넣으십시오(최대 {most}자) …"
EXAMPLE = "예문"
FILE = "또는 UTF-8 텍스트 파일"
SPLIT = "나누기"
SPLITS = {"sentences": "문장마다", "lines": "줄마다"}
SPLIT_HELP = (
    "문장마다: 프로그램 sentencex가 문장이 끝나는 곳을 찾습니다. 줄임말과 숫자도 구별합니다. "
    "줄마다: 테스트 세트처럼 한 줄을 한 문장으로 봅니다."
)
CUT_OFF = "입력란에는 {most}자까지 들어갑니다. 나머지는 잘렸습니다."
NO_TEXT = (
    "위에 글을 입력하거나 “설정”에서 파일을 고르십시오. 글을 문장으로 나누어 하나씩 번역한 뒤, "
    "원래의 문단대로 다시 합칩니다."
)
FILE_FIRST = "위의 글이 아니라 파일을 번역합니다. 글을 번역하려면 파일을 지우십시오."
SPLITTING = "문장을 찾는 중 …"
READ_TEXT = "{sentences}, {words}: {language} 글로 읽습니다."
SENTENCE_COUNT = ("문장 {count}개", "문장 {count}개")
WORD_COUNT = ("단어 {count}개", "단어 {count}개")
LONG_SENTENCE = "{number}번({words}단어)"
AND_MORE = "{named} 외 {count}개"
LEFT_AS_THEY_ARE = (
    "너무 길어서 번역하지 않고 그대로 둔 문장: {numbers}. 여기서 한 문장은 {most_words}단어, "
    "{most_characters}자까지 번역할 수 있습니다."
)

# Whole texts: progress and results
PROGRESS_IS_SAVED = "진행 상황은 저장됩니다. 이 페이지를 떠났다가 나중에 계속할 수 있습니다."
PARTLY_DONE = "서로 다른 문장 {total}개 가운데 {done}개를 번역했습니다."
FIRST_CHARACTERS = "전체 {total}자 가운데 처음 {shown}자입니다. 파일에는 전부 들어 있습니다."
LOG_PROBABILITY = "토큰당 로그 확률"
LOG_PROBABILITY_HELP = (
    "모든 번역의 확률에 자연로그를 취해, 모델이 쓴 단어 또는 서브워드의 수로 나눈 값입니다. 문장 끝 토큰도 셉니다."
)
SAVE_TSV = "문장을 TSV로 저장"
SAVE_TSV_HELP = "문장마다 한 줄: 원문, 번역, 로그 확률."
BY_SENTENCE = "문장별로 보기"
LOOK_CLOSER = "자세히 보기"
LEFT_AS_IT_IS = "너무 길어서 그대로 두었습니다."
NOT_TRANSLATED = "아직 번역하지 않았습니다."
PER_WORD = "{name} · 토큰당 {nats}"


# The page and its sections
BACK_TO_LENGTH = "길이에 따른 BLEU로 돌아가기"
SECTIONS = {"explain": "설명", "what-if": "만약에", "gold": "정답 링크", "length": "길이", "export": "내보내기"}
ABOUT_CURVE = "높을수록 좋습니다. 점선은 이 문장의 길이입니다."

# The form
SENTENCE = "{language} 문장"
SENTENCE_PLACEHOLDER = "{language} 문장을 하나 입력하십시오 …"
TARGET_KIND = "보여 줄 번역"
TARGET_KINDS = {"best": "가장 좋은 번역", "list": "목록에서", "typed": "직접 입력"}
TARGET_KIND_HELP = (
    "가장 좋은 번역: 빔 서치가 찾은 번역 가운데 확률이 가장 높은 것입니다. "
    "목록에서: 빔 서치가 찾은 다른 번역을 고릅니다. "
    "직접 입력: 번역을 입력하면 모델이 그것을 한 단어씩 그대로 쓰게 합니다."
)
SHOWN = "리본 아래"
SHOWN_CHOICES = {"matrix": "행렬", "links": "링크", "both": "둘 다"}
SCALE = "색 눈금"
LAYOUT = "링크 배치"
LAYOUTS = {"auto": "자동", "horizontal": "위아래로", "vertical": "나란히"}
PRUNE = "링크 거르기"
PRUNE_CHOICES = {"weight": "가중치", "mass": "비율"}
PRUNE_HELP = (
    "가중치: alpha가 이 값 이상인 링크를 모두 남깁니다. 비율: 번역문의 단어마다, 합해서 그 단어의 어텐션 가운데 "
    "이 비율 이상이 되는 가장 적은 수의 링크를 남깁니다."
)
AT_LEAST = "최솟값"
OPTIONS = "함께 보기"
OPTION_CHOICES = {
    "bars": "막대",
    "end": "끝 표시",
    "punctuation": "문장 부호",
    "pieces": "서브워드",
    "transposed": "번역문을 위에",
    "difference": "차이",
    "committee": "앙상블",
    "hard": "하드 어텐션",
}
OPTIONS_HELP = (
    "문장 끝 토큰이나 문장 부호를 감추면, 각 행의 나머지를 그 합으로 나눕니다. "
    "차이: 두 번째 체크포인트의 가중치에서 첫 번째의 가중치를 뺀 값입니다. 둘 다 첫 번째의 번역에 대한 가중치입니다. "
    "앙상블: 어휘가 같은 체크포인트들이 로그 확률을 평균하여 함께 쓰는 번역과, "
    "그때 그 가운데 첫 번째가 보는 곳입니다. "
    "하드 어텐션: 단계마다 가중치가 가장 큰 단어 하나만 읽을 때 체크포인트가 쓰는 번역입니다."
)
NO_DIFFERENCE_YET = "alpha가 있는 체크포인트를 하나 더 고르면, 그 가중치가 첫 번째의 가중치와 어떻게 다른지 보입니다."
NO_DIFFERENCE_LINE = (
    "차이: alpha가 있는 체크포인트를 하나 더 고르면, 그 가중치가 첫 번째의 가중치와 어떻게 다른지 보입니다. "
    "RNNencdec에는 alpha가 없습니다."
)

SENTENCE_NUMBER = "문장 수"

# The target
TARGET = "번역문"
TARGET_WANTED = "정렬을 보고 싶은 번역문을 입력하십시오."
LIST = "{name} 모델의 번역, 확률이 높은 순"
LISTED_NOTHING = "(없음)"
LIST_OF_OTHERS = "다른 체크포인트는 저마다의 목록에서 같은 번호의 번역을 보여 줍니다."
OTHER_TARGET_LANGUAGE = "첫 번째 체크포인트와 달리 {language} 문장을 쓰지 않아 제외한 체크포인트: {names}."

# Several sentences as one
KEPT_ALL = "문장 {count}개를 하나로 이었을 때: 한 문장씩 번역할 때 쓰는 단어 {words}개가 모두 남아 있습니다."
KEPT_SOME = (
    "문장 {count}개를 하나로 이었을 때: 한 문장씩 번역할 때 쓰는 단어 {words}개 가운데 {kept}개가 남아 있습니다:"
)

# Panels
EFFECT = "무엇이 영향을 주었는가?"
STAND_IN_NOTE = (
    "RNNencdec에는 alpha가 없습니다. 그 대신, 원문의 단어 하나를 빼면 모델이 쓴 각 단어의 확률이 "
    "얼마나 낮아지는지 보여 줍니다. 각 행은 그 합으로 나누었습니다."
)
MATRIX_HINT = "단어를 더 누르면 그 가중치가 더해집니다."
COMMITTEE = "로그 확률의 평균"
ALPHA_OF = ", {name} 모델의 alpha"
HARD = "하드 어텐션: 단계마다 가중치가 가장 큰 단어만 읽음"
NOT_EXPLAINED = (
    "설명은 체크포인트 하나가 소프트 어텐션으로 쓴 번역에 대해서만 나옵니다. "
    "그 체크포인트의 패널에서 단어를 고정하십시오."
)
FORCED = "{name} 모델의 번역을 그대로 쓰게 함"
OWN_TRANSLATION = "스스로 쓴 번역, log p = {nats}: {text}"
EFFECT_LETTER = "효과"
FROM_FILE = "파일에서 읽음"
LINKS_FROM_FILE = "파일의 링크: 1은 확실한 링크, 0.5는 가능한 링크"
VALUES_OF_FILE = "파일의 가중치"
VALUES_OF_LINKS = "파일의 링크"
WEIGHT_LETTER = "가중치"
WRITTEN_WITH = "저장 조건: {history}."
REPEATED = "앞의 단어를 되풀이함"
OFTEN = "자주 봄: 두 번 이상 번역했을 수 있음"
OFTEN_STAND_IN = "영향이 큼: 두 번 이상 번역했을 수 있음"
HARDLY = "거의 보지 않음: 번역하지 않았을 수 있음"
HARDLY_STAND_IN = "영향이 작음: 번역하지 않았을 수 있음"
NO_DIFFERENCE = "차이를 볼 수 없음: {reason}."
DIFFERENCE_VALUES = "{effect} 값이 들어간 차이"
ONLY_BEFORE = "바꾸기 전에만 있음"
ONLY_AFTER = "바꾼 뒤에만 있음"

# Explain a cell, and what can be done with it
PIN_A_CELL = "번역의 단어나 행렬의 칸을 누르면 그것이 어떻게 나왔는지 보입니다."
CELL_OR_WORD = "칸 또는 단어"
NO_CHECKPOINT_OF_PANEL = "이 패널은 차이나 파일을 보여 줍니다. 체크포인트의 패널에서 칸을 고정하십시오."
NUMBERS = "자세한 수치"
WEIGHT = "원문의 이 단어가 받은 가중치."
ENERGY = "소프트맥스 이전의 점수: 원문의 이 자리가 다음 단어에 얼마나 잘 맞는지 나타냅니다."
STATE = "이 단어를 쓰기 전 디코더 상태의 노름."
CONTEXT = "문맥 벡터, 곧 주석 벡터의 가중합의 노름."
ANNOTATION = "원문의 이 단어가 가진 주석 벡터의 노름."
BEFORE_SOFTMAX = "소프트맥스 이전의 값."
NO_ENERGIES = "이 모델에는 어텐션이 없으므로 점수 e도 없습니다."
SOURCE_COLUMN = "원문"
NEXT_COLUMN = "다음"
WITHOUT_COLUMN = "“{words}” 제외 p"
NEXT_WORDS = "이 단계에서 확률이 가장 높은 다음 단어들과, 원문의 그 단어를 뺐을 때의 확률입니다."
GATE_COLUMN = "게이트"
MEAN_COLUMN = "평균"
UNITS_COLUMN = "값(0~1)에 따른 유닛 수"
GATES = "이 단어를 쓸 때 디코더의 게이트 값: 0은 닫힘, 1은 열림. 막대는 그 값을 가진 유닛의 수입니다."
OTHER_WORDS = "여기에 다른 단어를 쓰고, 모델이 이어서 쓰게 합니다:"
OTHER_WORD_HELP = "여기까지의 번역과 이 단어는 그대로 두고, 빔 서치가 나머지를 새로 씁니다."
MOVE = "“{word}” 단어를 보게 하기"
MOVE_HELP = "번역문의 이 단어가 가진 가중치를 모두 원문의 이 단어로 옮기고, 모델이 나머지를 새로 씁니다."

# Is alpha an explanation?
MAPS = "alpha는 설명인가?"
MAPS_OF_TYPED = "다른 맵은 모델이 스스로 쓴 번역에 대해서만 계산합니다. 직접 입력한 번역문에는 없습니다."
MAPS_VALUES = "여러 맵에서 번역문의 한 단어가 가진 가중치"
MAPS_RING = "이 맵이 가리키는 단어가 {map} 맵과 다른 곳"
MAPS_AXIS = "맵"
MAPS_AGREE = "**{word}**: 모든 맵이 {place} 단어를 가리킵니다."
MAPS_DISAGREE = "**{word}**: 맵마다 가리키는 단어가 다릅니다. {map}: {place}, {others}."
MAP_AT = "{map}: {place}"
MAPS_ABOUT = (
    "맵마다 모두 합해 1인 가중치를 원문의 단어들에 나누어 줍니다. "
    "**alpha**: 모델이 그 단어를 쓸 때 실제로 사용한 가중치입니다. "
    "**사후 확률**: 그때 실제로 쓴 단어에 비추어 고친 alpha입니다. "
    "**단어 하나 빼기**: 원문의 단어 하나를 뺐을 때 그 단어의 확률이 얼마나 낮아지는지 나타냅니다. "
    "**정렬기**: 체크포인트 하나 이상의 사후 확률과 단어 링크의 횟수를 합친 것입니다. 맵마다 색이 다릅니다."
)
MAPS_LEFT_OUT = (
    "빠진 맵이 있습니다. 그 계산량은 두 문장 길이의 곱에 비례하므로, 이렇게 긴 문장 쌍에서는 계산하지 않습니다."
)

# What if
RESET = "처음으로"
NO_EFFECT = "이 변경은 여기 있는 어느 번역에도 해당하지 않습니다."
SEEN = "보여 줄 것"
SEEN_CHOICES = {"after": "바꾼 뒤", "before": "바꾸기 전", "change": "후 − 전", "same": "새 원문, 같은 번역문"}
SOURCE_CHANGED = "모델이 읽는 원문: “{text}”."
BEGIN_CHANGED = "번역의 시작: “{text}”."
WITHOUT_CHANGED = "쓸 수 없는 단어: {text}."
WORD_CHANGED = "써야 할 {number}번째 단어: “{text}”."
LOOKS = "{name} 모델은 “{word}” 단어를 쓸 때 “{source}” 단어를 봅니다."
ONLY_SOURCE = (
    "번역문을 직접 입력했으므로 원문만 바꿀 수 있습니다. 모델이 이어서 쓰게 하려면 “가장 좋은 번역”을 고르십시오."
)
OTHER_SOURCE = "다른 원문"
OTHER_SOURCE_HELP = "원문이 바뀔 때 같은 번역에 대한 alpha가 어떻게 달라지는지도 보입니다."
PREFIX = "번역의 시작"
CHOSEN = "{name} 모델이 “{own}” 대신 “{word}” 단어를 씁니다. 그 앞의 단어는 그대로입니다."
FORBIDDEN = "쓸 수 없는 단어"
BY_SPACES = "빈칸으로 나누어 적으십시오."
POSITION = "단어 번호"
IS = "써야 할 단어"
AFTER_MINUS_BEFORE = "후 − 전"
NEW_SOURCE = "새 원문 − 이전 원문, 같은 번역문"
PIN_TO_MOVE = "어텐션을 옮기려면 리본이나 행렬의 밝은 칸을 다른 원문 단어로 끄십시오."
ROW = "번역문의 {number}번째 단어 “{word}”: 아래 가중치는 마음대로 바꿀 수 있습니다. 합은 1로 맞추어집니다."
COST = "log p {now}(바꾸기 전: {before}), {kept}"
KEPT = ("단어 {count}개 유지", "단어 {count}개 유지")
MOVED = "{text}, 그 단어들의 가중치에서 원문의 다른 단어로 옮겨 간 양: 모두 {total}"

# Gold links
GOLD_HELP = (
    "정답 링크는 사람이 직접 이은, 옳다고 보는 단어 링크입니다. 확실한 링크는 i-j, 가능한 링크는 ipj로 적습니다"
    "(Pharaoh 형식). i는 원문 단어의 번호, j는 번역문 단어의 번호이며, 화면에 보이는 단어를 "
    "여기서 고른 번호부터 셉니다."
)
GOLD_FILE = "또는 정답 링크 파일(첫 문장만 씁니다)"
GOLD_WEIGHTS = "이 파일에는 링크가 아니라 가중치가 있습니다."
GOLD_NO_TEXT = "이 파일은 UTF-8 텍스트가 아닙니다."
GOLD_NO_LINKS = "이 파일의 첫 줄이 비어 있습니다."
GOLD_TOO_LARGE = "이 파일은 한도인 {megabytes} MB보다 큽니다."
GOLD_BEYOND = (
    "링크 {source}-{target}(0부터) 번호에 해당하는 단어가 없습니다. {name}: 원문 {sources}단어, 번역문 {targets}단어."
)
LOWEST_COLUMN = "최저 AER"
AT_WEIGHT_COLUMN = "그때 가중치"
RATES = (
    "단위는 %입니다. 가중치가 {least} 이상인 링크를 서브워드가 아닌 온전한 단어 단위로 세며, 화면에서 감춘 "
    "단어도 포함합니다. 정답 링크는 확실한 것이 {sure}개, 가능한 것이 {possible}개입니다. "
    "곡선은 이 최소 가중치에 따라 AER이 어떻게 변하는지 보여 줍니다."
)

# Export
PANEL = "패널"
RIBBONS = "{title}: 리본"
EVERYTHING = "전부: 리본, 패널, 표"
FORMAT = "형식"
SAVE_AS = "{format} 형식으로 저장"
METADATA = "파일의 메타데이터에는 체크포인트와 그 가중치, 설정, 그리고 그림을 다시 그리는 명령이 들어 있습니다."
METADATA_ALONE = "파일의 메타데이터에는 체크포인트와 그 가중치, 설정이 들어 있습니다."
DRAW_AGAIN = "그림을 다시 그리는 방법:"
PAPER_FIGURE = "논문의 그림 3 저장"
PAPER_FIGURE_MEANS = (
    "논문의 그림 3은 네 패널로 되어 있습니다. 하나는 직접 고른 문장이고, 셋은 아는 단어 10~20개로 된 테스트 문장에서 "
    "무작위로 뽑은 것입니다. 여기서는 {name} 모델이 같은 첫 문장과 testsets/jointly-300의 세 문장을 번역합니다."
)
LATEX = "캡션과 대체 텍스트가 있는 LaTeX 복사:"
PAGE = "모든 패널을 한 파일에 담습니다. 어느 브라우저에서나 열리고, 다른 곳에서 아무것도 불러오지 않습니다."
PAGE_WEIGHTS = "갱신 {update}, 가중치의 SHA-256 {sha256}"
LINKS_BY = "링크 기준"
COUNT_FROM = "첫 번호"
ORDER = "순서"

# Alignments from files
FILES = "파일에서 읽은 정렬"
FILE_FORMATS = "이 프로그램, Marian, fairseq, OpenNMT, Hugging Face 등의 가중치나 링크"
FILES_HELP = (
    "“내보내기”나 다른 프로그램으로 만든 파일입니다. JSON, CSV, Nematus, SoftAlignments, Pharaoh 형식, Marian, "
    "fairseq, OpenNMT, eole, CTranslate2, Sockeye, GIZA++, SimAlign, awesome-align의 출력, Hugging Face의 교차 어텐션, "
    "NAACL과 WPT의 정답 링크를 읽습니다. 형식은 파일의 내용으로 정합니다. 체크포인트 옆에 나란히 보입니다."
)
FILES_OF_WORDS = {
    "source": "원문 단어 파일(파일에 단어가 없을 때)",
    "target": "번역문 단어 파일(파일의 단어가 토큰과 다를 때)",
}
FILE_OF_WORDS_HELP = "한 줄에 한 문장씩, 그 프로그램이 읽고 쓴 토큰을 빈칸으로 나누어 적은 파일입니다."
PART = "각 파일에서 볼 행렬"
MEAN_OF_HEADS = "모든 헤드의 평균"
MEAN_OF_LAYER = "{layer}번 층, 헤드의 평균"
HEAD = "{layer}번 층, {head}번 헤드(0부터)"
FIRST_FILES = "처음 {most}개의 파일만 보입니다."
SENTENCE_OF_FILE = "각 파일의 문장 번호"
LINKS_COUNT_FROM = "링크의 첫 번호"
SOURCE_WORDS = "링크의 원문 단어"
TARGET_WORDS = "링크의 번역문 단어"
LINKS_WITHOUT_WORDS = "링크 파일에는 단어가 없습니다. 여기에 빈칸으로 나누어 적으십시오."
NO_SENTENCE = "{number}번 문장이 없습니다. 파일의 문장은 {count}개입니다"
NO_WORDS = "{number}번 문장에 단어가 없습니다"
TOO_MANY_WEIGHTS = "{number}번 문장의 가중치는 {weights}개인데, {most}개까지만 그릴 수 있습니다"
NO_LINK = "이 문장에 링크가 없습니다"
TOO_LARGE = "단어 {rows} x {columns}개의 행렬은 너무 커서 그릴 수 없습니다"
TAKE_PAIR = "이 문장 쌍을 체크포인트에 주기"
TAKE_PAIR_HELP = "그러면 체크포인트가 첫 번째 파일의 번역문을 그대로 쓰게 되므로, alpha를 그 파일과 비교할 수 있습니다."
