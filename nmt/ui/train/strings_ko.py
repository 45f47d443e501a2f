"""Texts of the section Train of the place Models in Korean."""

OFF = (
    "다른 컴퓨터에서 이 서버에 접속할 수 있으므로 학습 기능이 꺼져 있습니다. 서버를 시작한 사람은 `make app "
    "HOST=… TRAIN=yes` 명령으로 켤 수 있습니다."
)
JOBS = "학습 목록"
JOBS_HELP = "하나를 고르면 그 학습을 지켜보고, 여러 개를 고르면 곡선을 한 그림에서 봅니다."
STATES = {
    "queued": "대기 중",
    "running": "학습 중",
    "stopping": "저장 중",
    "stopped": "일시 정지",
    "done": "완료",
    "failed": "실패",
    "lost": "끊김",
}
NEW = "새 학습"
THE_PAGE = "페이지"

# The texts
TEXTS = "학습 자료"
WHERE = {"example": "한국어 예제", "corpus": "공개 말뭉치", "upload": "올리기", "path": "이 컴퓨터의 파일"}
EXAMPLE_CAPTION = (
    "작은 문법이 만든 짧은 문장 2,000개이며, 자유롭게 쓸 수 있습니다(CC0). 동사가 한국어에서는 맨 뒤에, "
    "영어에서는 두 번째에 옵니다. 모델이 동사를 옮기는 법을 배우는 과정을 3분쯤 지켜보십시오."
)
CORPUS = "말뭉치"
DIRECTION = "번역 방향"
SOURCE = "원문 언어"
TARGET = "번역문 언어"
PATHS = ("원문 파일", "번역문 파일", "검증용 원문 파일", "검증용 번역문 파일")
GIVE_PATHS = "한 줄에 한 문장씩 적힌 파일 네 개의 경로를 입력하십시오. 두 개는 학습에, 두 개는 검증에 씁니다."
FILES = ("원문 파일, 또는 원문과 번역문이 함께 있는 TSV 파일", "번역문 파일(따로 있을 때)")
GIVE_FILES = (
    "줄 수가 같고 같은 줄이 서로의 번역인 파일 두 개를 올리거나, 줄마다 원문과 번역문을 탭으로 나눈 파일 "
    "하나를 올리십시오. 마지막 10분의 1(최대 200쌍)은 검증에 씁니다."
)
FETCH = "말뭉치 내려받기"
PREPARE = "자료 확인"
CHECK = "이 자료 확인"
CHECKED = (
    "",
    "문장 쌍",
    "제외",
    "원문당 단어 수",
    "번역문당 단어 수",
    "원문의 미등록 단어",
    "번역문의 미등록 단어",
)
KEPT = "{read:,}개 중 {kept:,}개"
FOR_TRAINING = "학습용"
FOR_VALIDATION = "검증용"
FIRST_BATCH = "첫 미니배치(문장 쌍 {count}개)의 처음 몇 문장, 모델이 읽는 그대로"

# The plan
BEGIN = "시작점"
ADAPT = "{name} 미세 조정"
UPDATES = "갱신 횟수"
NAME = "이름"
MORE = "설정 더 보기"
ITS_VOCABULARIES = "어휘는 {name} 모델의 것을 그대로 쓰고, 학습은 이 모델의 가중치에서 시작합니다."
VOCABULARY = "어휘"
KINDS = {"words": "단어", "bpe": "서브워드(BPE)"}
SIZE = "원문과 번역문 각각의 크기"
SETTINGS = "그 밖의 설정, 한 줄에 하나씩"
PROBE = "시험 학습"
SECONDS_UNIT = "초"
ESTIMATE = "예상치 계산({seconds}초)"
COSTS = {"분": "{:,.1f}", "갱신": "{:,}", "단어": "{:,.0f}", "디스크": "{:,.0f} MB", "메모리": "{:,.0f} MB"}
ANOTHER_RUNS = "지금 다른 학습이 실행 중이므로, 시간은 그 학습과 함께 실행하며 잰 것입니다."
COMMAND = "**실행할 명령입니다.** 터미널에 직접 입력할 수도 있습니다:"
START = "학습 시작"

# A job
STOP = "일시 정지"
RESUME = "이어서 학습"
STOP_HELP = "학습은 멈추기 전에 저장하며, 다음에 바로 그 지점에서 이어집니다."
REMOVE = "제거"
CONFIRM = "이 컴퓨터에서 {name} 학습과 그 가중치를 삭제하시겠습니까?"
DELETE = "삭제"
NOT_BEGUN = ("아직 보고된 것이 없습니다.", "앞선 학습이 모두 끝나면 시작합니다.")
UPDATE = "갱신 {most:,}번 가운데 {update:,}번"
MEASURES = {
    "손실": "{:.3g}",
    "검증 NLL": "{:.3g}",
    "검증 BLEU": "{:.1f}",
    "기울기 크기": "{:.3g}",
    "초당 단어 수": "{:,.0f}",
    "학습률": "{:.2g}",
}
ABOUT_MEASURES = (
    "학습하는 문장의 다음 단어를 모델이 얼마나 뜻밖으로 여기는지를 단어당 nats로 나타냅니다. 낮을수록 좋습니다.",
    "검증용으로 남겨 둔 문장에서 잰 같은 값입니다. 다시 오르기 시작하면 모델이 학습 문장을 외우고 있는 것입니다.",
    "검증용 문장의 번역이 주어진 번역과 얼마나 일치하는지를 0부터 100까지로 나타냅니다.",
    "한 번의 갱신에 쓰는 문장들이 가중치를 얼마나 바꾸려 하는지를 나타냅니다.",
    "1초에 학습하는 번역문의 단어 수입니다.",
    "갱신할 때마다 가중치를 얼마나 크게 바꾸는지를 나타냅니다.",
)
LEFT = ", 약 {mean} 남음({least}–{longest})"
CURVES_ALT = "갱신 횟수에 따른 음의 로그 가능도: {names}"
CARD = "카드 보기"
SENTENCE = "지켜볼 문장"
NO_ALPHA = "어텐션이 없는 모델에는 보여 줄 alpha가 없습니다. 번역문은 training.jsonl 파일에 있습니다."
NOTE = "메모"
COMMAND_POPOVER = "명령 보기"
