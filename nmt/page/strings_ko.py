"""Texts that Python writes into the page, in Korean."""

ABOUT = (
    "{kinds} 모델(Bahdanau, Cho, Bengio 2014)을 이 페이지 안에서 실행합니다. 문장은 이 기기를 떠나지 않으며, "
    "네트워크도 필요 없습니다."
)
BOTH_KINDS = "RNNsearch와 RNNencdec"

# Where page.html names them
TEXTS = {
    "sentence": "문장",
    "translate": "번역",
    "examples": "예문",
    "checkpoints": "체크포인트",
    "beam": "빔 너비",
    "unpacking": "가중치를 푸는 중입니다.",
    "translations": "번역문",
    "save": "그림 저장",
    "weights": "가중치",
    "trained_on": "학습에 쓴 말뭉치",
    "no_script": "이 페이지는 JavaScript로 번역을 계산하는데, 여기에서는 JavaScript가 꺼져 있습니다.",
    "program": (
        "이 프로그램은 Jointly이며, 저작권은 Jointly contributors(2026)에게 있고 MIT 라이선스를 따릅니다. "
        "토큰화 규칙은 sacremoses(MIT 라이선스)를 거쳐 온 Moses의 규칙입니다."
    ),
}
RUN = "{name}: {source_language} → {target_language}, 8비트 가중치 {parameters:,}개, SHA-256 {sha256}"
