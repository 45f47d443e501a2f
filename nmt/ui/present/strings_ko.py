"""Texts of the presentation in Korean."""

HOW = "작동 방식: 단어 하나"
TOGETHER = "문장을 하나씩 이어 붙이기"
FIGURE_2 = "이어 붙인 문장으로 다시 묻는 그림 2의 물음"
BLACK = "끝"
SCENE = "장면"
BACK = "이전"
NEXT = "다음"
PLACE = "장면 {number}/{total}"
STEP = ", 단계 {step}/{steps}"
OPEN_IT = "직접 열기"
END = "종료"
LOCAL_ONLY = (
    "이 서버에는 이 컴퓨터에서만 접속할 수 있습니다. `make app HOST=0.0.0.0` 명령을 쓰면 같은 네트워크에 공개됩니다."
)
