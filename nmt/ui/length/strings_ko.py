"""Texts of the view "BLEU against length" in Korean."""

# The row above the picture
TEST_SET_HELP = "여러 테스트 세트의 문장을 하나의 세트로 합쳐서 셉니다."
ADD_YOUR_OWN = "내 자료 추가"
OTHER_LANGUAGES = "다음은 다른 언어를 번역하므로 이 곡선에 없습니다: {names}."
NOTHING_TO_SHOW = (
    "아직 보여 줄 것이 없습니다. 실행 폴더를 checkpoints/에 넣거나 `jointly train` 명령으로 모델을 학습하십시오. "
    "그러면 여기에서 평가할 수 있습니다."
)
CHOOSE_TEST_SET = "테스트 세트를 하나 이상 고르십시오."
NO_RANGES = "이 길이 범위는 쓸 수 없습니다. “설정”에서 다른 범위를 고르십시오."
NOT_ON_SERVER = "“{name}” 테스트 세트가 이 서버에 없습니다. “내 자료 추가”에서 다시 올리십시오."
ANOTHER_TEST_SET = "다른 테스트 세트 보기"
OTHER_SENTENCES = "{name} 시스템은 {test_set} 테스트 세트에서 나머지와 다른 문장으로 평가했으므로 제외했습니다."
SAME_SENTENCES = "{name} 테스트 세트는 {other} 테스트 세트와 문장이 같으므로 한 번만 셉니다."

# Settings
AS_IN_PAPER = "논문의 그림 2처럼 표시"
AS_IN_PAPER_HELP = (
    "원문 단어 수를 열 단어씩 나눈 범위별 BLEU, 0부터 60까지의 축, 그리고 그림 2의 네 모델 가운데 여기 있는 것을 "
    "표시합니다."
)
SIDE = "길이(단어 수)의 기준"
COLUMN_HELP = (
    "미등록 단어가 없는 문장: [UNK]를 금지하고, 원문과 참조 번역의 모든 단어를 모든 체크포인트가 아는 문장만 "
    "셉니다(논문 표 1의 “No UNK”)."
)
MORE = "더 보기: 범위, 표시 항목, 검정"
OPTIONS = "함께 표시"
OPTION_NAMES = {
    "intervals": "95% 구간",
    "counts": "문장 수",
    "trained": "학습 문장 길이",
    "to-60": "60단어까지",
}
RANGES = "길이 범위"
DIVISIONS = {
    "fitted": "자동",
    "width": "같은 너비",
    "equal": "같은 문장 수",
    "custom": "직접 입력",
    "rolling": "이동 창",
}
RANGES_HELP = (
    "자동: 논문처럼 열 단어씩 나누거나, 테스트 세트의 문장이 너무 짧으면 문장 수가 거의 같도록 나눕니다. 직접 입력: "
    "범위마다 시작하는 길이를 입력합니다. 이동 창: 길이마다 그 길이에 가까운 문장들의 점수를 구합니다."
)
WORDS_IN_RANGE = "범위의 단어 수"
LAST_RANGE = "마지막 범위의 시작"
LAST_RANGE_IS = "마지막 범위: {first}단어 이상."
NUMBER_OF_RANGES = "범위의 개수"
WORDS_IN_WINDOW = "이동 창의 단어 수"
RANGES_BEGIN_AT = "범위의 시작 길이"
NO_SUCH_RANGES = "범위를 알 수 없습니다: {text!r}. 1, 11, 21처럼 각 범위가 시작하는 길이를 입력하십시오"
TEST = "검정"
METHODS = {"bootstrap": "부트스트랩", "randomisation": "무작위화"}
TEST_HELP = (
    "짝지은 부트스트랩(Koehn 2004): sacreBLEU처럼 단측 p, 다시 뽑기 1,000번. 근사 무작위화(Riezler와 Maxwell 2005): "
    "양측 p, 시행 10,000번."
)
COMPARE = "비교"
COMPARE_WITH = "상대"

# Test sets and systems of the reader
CORPORA = "**이 서버의 말뭉치**"
CORPORA_FOLDER = "말뭉치 폴더"
CORPORA_HELP = (
    "`jointly corpus get` 명령이 만드는 구조입니다. 말뭉치마다 폴더가 하나씩 있고, 그 안에 학습, 검증, 테스트 파일이 "
    "있습니다."
)
CORPORA_UNREADABLE = "말뭉치 폴더를 읽을 수 없습니다: {reason}."
ADD_FILES = "“내 자료 추가”에서 파일을 추가하십시오."
GET_CORPUS = (
    "`{command}` 명령으로 말뭉치를 data/corpora에 내려받습니다. 다른 말뭉치 폴더는 “내 자료 "
    "추가”에서 지정할 수 있습니다."
)
READING_TEST_SET = "테스트 세트 읽는 중 …"
OWN_TEST_SET = "**내 테스트 세트**"
OWN_TEST_SET_ABOUT = (
    "한 줄에 한 문장씩 적힌 UTF-8 파일 두 개, WMT(SGML, XML) 또는 TMX 파일, 또는 문장, 탭, 번역 순서로 적힌 TSV 파일 "
    "하나. 한 문장의 참조 번역이 여럿이면 탭으로 나눕니다. 최대 {lines:,}줄, {megabytes} MB이며, gzip과 xz도 읽습니다. "
    "파일은 이 서버에만 남습니다."
)
SENTENCES_FILE = "{language} 문장 또는 TSV"
REFERENCES_FILE = "{language} 참조 번역"
TEST_SET_NAME = "테스트 세트 이름"
NAME_FROM_FILE = "파일 이름대로"
ADD_TEST_SET = "테스트 세트 추가"
OWN_SYSTEM = "**다른 시스템의 번역**"
OWN_SYSTEM_ABOUT = (
    "Moses, 온라인 번역기 등 무엇이든 됩니다. 테스트 세트의 줄마다 번역이 하나씩 있는 UTF-8 파일 하나를 올립니다."
)
TRANSLATIONS_FILE = "번역"
THEIR_TEST_SET = "번역한 테스트 세트"
SYSTEM_NAME = "시스템 이름"
ADD_SYSTEM = "시스템 추가"
SET_ADDED = ("{name}: 문장 {count}개를 추가했습니다. {next}", "{name}: 문장 {count}개를 추가했습니다. {next}")
MEASURE_NEXT = "아래에서 이 세트로 체크포인트를 평가하십시오."
SYSTEM_ADDED = (
    "{name}: {test_set} 테스트 세트의 번역 {count}개를 추가했습니다.",
    "{name}: {test_set} 테스트 세트의 번역 {count}개를 추가했습니다.",
)
SAME_SET = "이미 여기에 있는 {name} 테스트 세트와 문장이 같습니다"
NAME_TAKEN = "{name} 테스트 세트가 이미 있습니다. 다른 이름을 입력하십시오"
CHOOSE_SENTENCES = "먼저 문장 파일을 고르십시오"
CHOOSE_REFERENCES = "참조 번역 파일도 고르거나, 이름이 .tsv로 끝나는 파일 하나를 고르십시오"
CHOOSE_TRANSLATIONS = "먼저 번역 파일을 고르십시오"
NAME_OF_CHECKPOINT = "{name}: 체크포인트의 이름입니다. 다른 이름을 입력하십시오"
GIVE_NAME = "시스템 이름을 입력하십시오"
SAME_TEXT = "{file} 파일의 문장이 다른 파일과 같습니다. 그 문장들의 번역이 든 파일을 고르십시오"
SIDES_LOOK_SWAPPED = (
    "{test_set} 테스트 세트의 문장은 {source} 문장이 아니라 {target} 문장으로 보입니다. 두 파일이 서로 바뀌었을 수 "
    "있습니다. 그렇다면 다른 이름으로 다시 추가하십시오."
)
OTHER_LENGTH = "{file} 파일은 {lines:,}줄인데 {test_set} 테스트 세트는 {sentences:,}문장입니다"

# What is not measured yet
ON_TEST_SET = "{name}, {test_set}"
SCORE_AGAIN = "{output} 다시 채점"
NEEDS_CHECKPOINT = (
    "“미등록 단어가 없는 문장”을 고르려면 체크포인트가 필요합니다. 미등록 단어는 체크포인트의 어휘에 없는 단어입니다."
)
ALL_HAVE_UNKNOWN = "문장마다 적어도 한 체크포인트의 어휘에 없는 단어가 있어서 보여 줄 것이 없습니다."
NOT_MEASURED = "{test_set} 테스트 세트로 아직 평가하지 않았습니다: {names}."
NOT_MEASURED_KNOWN = "{test_set} 테스트 세트에서 미등록 단어가 없는 문장으로는 아직 평가하지 않았습니다: {names}."
SENTENCES_NOT_HERE = "{test_set} 테스트 세트의 문장이 여기에 없습니다. {how_to_get}"
EXTERNAL_SYSTEM = "외부 시스템은 그 번역으로 평가합니다. “내 자료 추가”에서 번역을 추가하십시오."
MEASURE = "{test_sets}: {names} 평가"
MEASURE_HELP = (
    "백그라운드에서 실행되며, 체크포인트마다 자체 빔 서치 설정으로 번역합니다. 끝난 문장은 저장되므로 언제든지 "
    "멈추었다가 이어서 할 수 있습니다."
)
TO_MEASURE = (
    "문장 {count}개를 번역하고 채점해야 합니다. 그동안 앱을 계속 쓸 수 있습니다.",
    "문장 {count}개를 번역하고 채점해야 합니다. 그동안 앱을 계속 쓸 수 있습니다.",
)
SCORING_STAGE = "채점"
READING_STAGE = "{name} 정렬"

# The curve
COMPUTING_CURVES = "곡선 계산 중 …"
TESTING = "검정 중 …"
MAKING_TABLES = "표 작성 중 …"
CURVE_ALT = "{side} 단어 수에 따른 {metric} 곡선: {names}. 같은 수치가 “표”에 있습니다"
CLICK_A_POINT = "점을 누르면 그 범위의 문장이 나타납니다."
ONE_RANGE = "문장이 적어서 여러 범위로 나눌 수 없습니다. 점을 누르면 모든 문장이 나타납니다."
POINTS = "점은 한 범위의 문장 전체를 합쳐 구한 {metric} 점수이며, 그 문장들의 평균 길이 자리에 있습니다."
BANDS = "띠는 부트스트랩으로 1,000번 다시 뽑아 구한 95% 구간입니다."
EXPECTED = (
    "회색 점선: 학습 말뭉치만 보고 예상할 수 있는 점수. 15단어 부근에서 가장 좋은 시스템의 점수에서 시작하고, "
    "그 뒤로는 참조 번역의 n-gram 가운데 학습 말뭉치에 나오는 것의 비율을 따릅니다."
)
OVERALL = "문장 {sentences:,}개 전체: {scores}."
OR_MORE = "{first} 이상"
SHARE_KEPT = "{metric} 유지율(단어 수 {first} → {last}): {systems}."
KEEPS = "**{name}** {percent:.0f}% ({first:.1f} → {last:.1f})"
SCORES_CHANGE = "{metric} 변화(단어 수 {first} → {last}): {systems}."
BELOW = "아래"
SECTIONS = {"real": "실제 차이인가?", "tables": "표"}

# Is it real?
CHOOSE_TWO = "비교할 체크포인트 두 개를 고르십시오."
OVERALL_TEST = "{icon} **{first}** 대 **{second}**, 모든 길이의 문장: {result}."
ROLLING_NOT_TESTED = "이동 창은 문장을 서로 공유하므로 창마다 차이를 따로 검정하지 않습니다."
WORDS = "단어"
DIFFERENCE = "차이"
INTERVAL = "95%"
INTERVAL_TO = "{low} ~ {high}"
P_HELP = "이 범위만의 값입니다."
CORRECTED_P = "보정한 p"
CORRECTED_P_HELP = "범위의 수만큼 검정한 것을 홀름(Holm)의 방법으로 보정한 값입니다."
VERDICT = "판정"
NO_SENTENCES = "문장 없음"
TOO_FEW = "문장이 적어 검정 불가"
MAY_BE_CHANCE = "우연일 수 있음"
IS_BETTER = "{name} 쪽이 더 좋음"
DIFFERENCE_EXPLAINED = (
    "차이: {first} 시스템의 {metric} 점수에서 {second} 시스템의 점수를 뺀 값이며, 부트스트랩으로 구한 95% 구간을 함께 "
    "적습니다. p: 우연만으로도 이만큼 큰 차이가 생기는 빈도이며, 보정한 값이 {level:g} 미만이면 실제 차이로 봅니다. "
    "문장이 열 개 미만인 범위는 검정하지 않습니다."
)
LOWER_IS_BETTER = "{metric} 점수는 낮을수록 좋습니다."

# Export
FIGURE = "**그림**: 논문의 그림 2와 같은 형식"
FIGURE_CAPTION = "인쇄용 그림"
TABLES = "**표**: 논문의 표 1과 표 2, 길이별 점수, 검정, 시그니처"
SIGNATURE = "점수의 **시그니처**"
COMMAND = "그림을 다시 그리는 **명령**"

# The sentences beside the curve
SENTENCES_BY = "{side} 단어 수별 문장"
ALL_LENGTHS = "모든 길이"
RANGE = "단어 수 {range}"
CLOSE = "닫기"
SENTENCE = "문장"
SENTENCE_PLACEHOLDER = "번호"
SENTENCE_HELP = "문장의 번호입니다. 표에서 행의 왼쪽을 눌러도 선택됩니다."
PREVIOUS = "이전 문장"
NEXT = "다음 문장"
NO_SUCH_RANGE = "“{name}” 범위가 없어서 모든 문장을 보여 줍니다."
NO_SUCH_LENGTH = "이런 길이의 문장이 없습니다."
ORDER = "순서"
SORTED_BY = "순서 기준"
DIRECTION = "방향"
DIRECTIONS = {"largest": "큰 값부터", "smallest": "작은 값부터"}
TABLE_COLUMNS = {
    "no": "번호",
    "words": "단어",
    "sentence": "문장",
    "difference": "차이",
    "length-ratio": "길이 비율",
    "unknown-words": "미등록 단어",
    "least-coverage": "최소 포함 정도",
    "entropy": "엔트로피",
    "attention-apart": "발산",
}
COLUMNS_EXPLAINED = {
    "difference": "첫 번째 시스템의 점수가 두 번째보다 얼마나 좋은지, 0 미만이면 더 나쁨",
    "length-ratio": "첫 번째 시스템의 번역 길이를 참조 번역의 길이로 나눈 값",
    "unknown-words": "원문의 단어 가운데 첫 번째 체크포인트의 어휘에 없는 것의 수",
    "least-coverage": "첫 번째 체크포인트의 번역에서 원문 단어가 받은 어텐션의 최솟값",
    "entropy": "첫 번째 체크포인트의 번역에서 alpha 행들의 평균 엔트로피(비트)",
    "attention-apart": "두 체크포인트에 참조 번역을 쓰게 했을 때 두 alpha의 행 사이의 평균 옌센-섀넌 발산(비트)",
    "no": "테스트 세트의 순서",
    "words": "길이",
}
ONLY = "{name} 쪽에만"
ONLY_HELP = "참조 번역의 단어와 n-gram 가운데 이 번역에는 있고 다른 번역에는 없는 것."
SENTENCES_SHOWN = ("문장 {count}개와 각각의 {metric} 점수.", "문장 {count}개와 각각의 {metric} 점수.")
SENTENCES_HELP = (
    "문장마다 따로 구한 점수이며, 이것으로 문장의 순서를 정할 수 있습니다. 곡선은 이 값들의 평균이 아닙니다."
)
ONLY_STATISTICS = "{test_set} 테스트 세트의 문장은 없고 점수만 있습니다. {how_to_get}"
NOT_THE_MEASURED = "여기에 있는 {test_set} 테스트 세트의 문장은 평가에 쓴 문장과 다르므로 보여 주지 않습니다."
SHOW_OTHER_SET = "문장이 있는 {test_set} 테스트 세트 보기"
COMPARE_ATTENTION = "어텐션 비교"
COMPARE_ATTENTION_HELP = "순서의 기준이 될 열을 추가합니다: {explained}."
TWO = "{first}, {second}"

# One sentence
LINE = "**{test_set}, {line:,}번째 줄**"
SENTENCE_NOT_HERE = "문장이 여기에 없습니다. 구하는 방법은 위에 있습니다."
SOURCE = "원문"
REFERENCE = "참조 번역"
NOT_KEPT = "번역이 여기에 저장되어 있지 않습니다."
SEGMENTS = "조각으로 나누어 하나씩 차례로 번역함:"
MARKS = "초록: 다른 시스템보다 더 얻은 것. 주황: 잃은 것. 밑줄: 참조 번역에 없는 것. 취소선: 참조 번역에만 있는 것."
MARKS_HELP = (
    "{first}, {second} 두 시스템의 비교입니다. 얻은 것: 참조 번역의 단어와 n-gram 가운데 다른 쪽에 없는 것. 잃은 것: "
    "다른 쪽에만 있는 것."
)
WHERE_THEY_LOOKED = "어디를 보았는지 보기"
TRANSLATE_SENTENCES = ("이 문장 번역: {names}", "문장 {count}개 번역: {names}")
TRANSLATE_HELP = (
    "다른 컴퓨터에서 채점한 번역이라 여기에 저장되어 있지 않습니다. 백그라운드에서 다시 번역하여 저장합니다."
)
