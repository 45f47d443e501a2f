"""Texts of the view "Concatenate sentences" in Korean."""

# The form
EXCLUDED = "다음은 {languages} 번역을 하지 않으므로 제외했습니다: {names}."
WORDS = "문장당 최대 단어 수"
WORDS_HELP = "짧은 문장만 씁니다. 그래야 모든 모델이 할 수 있는 것에서 곡선이 시작합니다."
SENTENCES = "최대 문장 수"
SENTENCES_HELP = "테스트 세트의 앞부분을 씁니다. 80개 이상이면 모든 점에 구간이 있습니다."

# The curves
TITLE = "이어 붙인 문장 수에 따른 BLEU: {test_set} 테스트 세트의 문장 {sentences}개"
MEASURE = "지표"
MEASURES = {
    "bleu": "BLEU",
    "kept": "BLEU 유지율",
    "log_probability": "단어당 log p",
    "length_ratio": "길이 비율",
    "least_coverage": "최소 포함 정도",
    "mean_coverage": "평균 포함 정도",
}
SEE_IT = "문장을 하나씩 더하며 무엇을 잃는지 보기"
NO_TEST_SET = "testsets/에 이 언어들의 테스트 세트가 없습니다."
COMPUTE = "{names} 곡선 계산"
COMPUTE_HELP = "프로세서 두 개로 몇 분 걸립니다. 전에 번역한 것은 디스크에서 읽습니다."
NOT_STORED = "이 설정의 곡선은 체크포인트와 함께 저장되어 있지 않습니다."
CURVE_ALT = "이어 붙인 문장 수에 따른 {measure} 곡선: {names}. 같은 수치가 “표로 보기”에 있습니다"
FROM_SINGLE = "BLEU, 한 문장씩일 때 → 문장 {most}개를 하나로 이을 때: {changes}."
CURVE_CAPTION = (
    "{measure} 문장은 최대 {words}단어(평균 {average:.1f}단어)이며, 테스트 세트의 순서대로 모든 체크포인트에서 똑같이 "
    "묶어 이어 붙입니다."
)
AS_TABLE = "표로 보기"
TABLE_CAPTION = (
    "Concatenated: 글 하나에 이어 붙인 문장 수. Words: 이어 붙인 원문의 단어 수. One by one: 같은 문장을 하나씩 번역한 "
    "BLEU. Log p: 참조 번역의 log p, 단어당 nats. Length: 번역의 길이를 참조 번역의 길이로 나눈 값. Least, Mean: "
    "alpha로 구한 포함 정도의 최솟값과 평균."
)
TABLE = "모든 지표의 **표**"
