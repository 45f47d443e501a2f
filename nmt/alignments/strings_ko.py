"""Sentences about alignments in Korean."""

CROSSING = "“{target}” 부분에서는 “{source}” 부분의 단어들이 반대 순서로 놓입니다. 그래서 리본이 엇갈립니다."

WITHOUT = {
    (True, False): "문장 끝 토큰 제외",
    (False, True): "문장 부호 제외",
    (True, True): "문장 끝 토큰과 문장 부호 제외",
}
"""By what was removed: the end-of-sentence token, punctuation."""
DIVIDED = "{without}: 각 행의 합이 다시 1이 되도록, 남은 가중치를 그 합으로 나누었습니다."
ONE_ROW_EMPTY = "{text} 행 하나가 비어 있습니다. 그 행의 가중치는 전부 제외된 토큰에 있었습니다."
ROWS_EMPTY = "{text} {rows}개의 행이 비어 있습니다. 그 행들의 가중치는 전부 제외된 토큰에 있었습니다."
