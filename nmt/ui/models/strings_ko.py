"""Texts of the place Models in Korean."""

# The sections, and what several of them say
SHOW = "표시"
SECTIONS = {
    "use": "고르기",
    "scores": "점수",
    "trainings": "모델과 학습",
    "cards": "카드",
    "train": "학습",
    "upload": "올리기",
}
TRANSLATE_WITH_IT = "이 모델로 번역"
MEASURE_IT = "이 모델 평가"
WATCH_IT_LEARN = "학습 과정 보기"

# Which to use
NO_PURPOSE = (
    "어느 체크포인트를 쓸지 알려 줄 점수가 아직 없습니다. “모델과 학습”에 체크포인트마다 설명이 있습니다. "
    "`jointly evaluate` 명령은 테스트 세트로 체크포인트를 평가합니다."
)
USE_THIS = "알맞은 일: **{uses}**"
USES = {
    "translate": "번역",
    "similar": "{test_set} 문장과 비슷한 글의 번역",
    "align": "단어 정렬",
    "long": "긴 문장의 번역",
    "baseline": "어텐션의 역할 알아보기",
    "learn": "모델의 학습 과정 지켜보기",
}
EVIDENCE = {
    "translate": "{where} BLEU는 {bleu:.1f}점입니다{of_several}.",
    "similar": "이 테스트 세트의 BLEU는 {bleu:.1f}점으로, 다음으로 좋은 체크포인트보다 {lead:.1f}점 높습니다.",
    "align": (
        "{gold} 정답 링크와 비교한 정렬 오류율은 {rate:.1f}%입니다. 체크포인트 {rivals}개 가운데 가장 낮은 값입니다."
    ),
    "long": (
        "문장 {sentences}개를 이어 붙였을 때 BLEU는 {bleu:.1f}점으로, 체크포인트 {rivals}개 가운데 가장 높습니다."
    ),
    "baseline": (
        "어텐션 없이 문장 전체를 벡터 하나에 담습니다. {where} BLEU가 어텐션이 있는 가장 "
        "좋은 모델보다 {less:.1f}점 낮습니다{data}."
    ),
    "learn": "학습 도중 {steps}개 시점의 가중치가 저장되어 있습니다.",
}
ON, ON_ALL = "{test_set}의", "모든 테스트 세트를 합친"
BETTER_ALIGNER = "여러 체크포인트를 결합한 {name} 정렬기의 오류율은 {rate:.1f}%입니다."
BEST_OF = "(체크포인트 {rivals}개 가운데 가장 높음)"
SAME_DATA = "(학습 데이터는 같음)"
FEWER_UPDATES = "(학습 데이터는 같지만 가중치 갱신은 {most:,}번이 아니라 {updates:,}번)"
BEST_ON_MORE = ("다른 테스트 세트 {count}개에서도 가장 좋습니다.", "다른 테스트 세트 {count}개에서도 가장 좋습니다.")
TRAINED_ON_ANY = "길이에 제한을 두지 않은 문장으로 학습했습니다.{corpora}"
TRAINED_ON = "{longest}단어 이하의 문장으로 학습했습니다{in_name}.{corpora}"
FROM_CORPORA = " 말뭉치: {corpora}."
IN_NAME = "(이름의 “-{part}”)"
TRAINED_LONGER = "다른 체크포인트보다 오래 학습했습니다(이름의 “-star”: 논문의 별표)."
GUIDED = "주어진 단어 링크를 따르도록 어텐션을 학습했습니다{in_name}."
CONCATENATED = "학습 문장 가운데 일부는 여러 문장을 이어 붙인 것입니다{in_name}."

# A card: the model
MODEL = (
    "{architecture}{variant}: 임베딩 유닛 {model.embedding:,}개, 은닉 유닛 {model.hidden:,}개{alignment}, "
    "maxout 유닛 {model.maxout:,}개. 가중치 {weights.parameters:,}개, {megabytes:.1f} MB. 저장 형식: "
    "{stored}."
)
ALIGNMENT_UNITS = ", 정렬 유닛 {units:,}개"
VARIANT = "({parts})"
UNITS = {"lstm": "LSTM 유닛", "reset_after": "곱한 뒤에 재설정하는 게이트 유닛"}
FORWARD_ONLY = "앞에서 뒤로만 읽는 인코더"
STARTS_FROM_BOTH = "두 방향의 마지막 상태에서 계산하는 s_0"
PREDICTS_FROM_NEW_STATE = {"maxout": "s_i에서 예측하는 y_i", "linear": "s_i에서 선형 출력으로 예측하는 y_i"}
SCORE_FUNCTION = "{score} 점수 함수"
STORED = {"F32": "fp32", "F16": "fp16", "I8": "행마다 배율을 둔 int8"}
SIDES = "원문: {source}, {source_vocabulary}. 번역문: {target}, {target_vocabulary}."
VOCABULARY = "{kind} {size:,}개"
VOCABULARY_KINDS = {"words": "단어", "unigram": "서브워드(unigram)", "bpe": "서브워드(BPE)"}
SAVED_AFTER = "{updates:,}번 갱신한 뒤({epochs:.1f}에포크)의 가중치입니다."
SAVED_AFTER_BOTH = (
    "모두 {sum:,}번 갱신한 뒤의 가중치입니다. 학습의 마지막 부분은 {before:,}번 갱신한 가중치에서 시작해 "
    "{updates:,}번({epochs:.1f}에포크) 갱신했습니다."
)
ON_DEVELOPMENT = "검증 세트: {measures}."
NLL_PER_TOKEN = "번역문 토큰당 {nats:.3f} nats"
LENGTH_PENALTY = "번역할 때의 길이 벌점: {penalty:g}(평가할 때와 같음)."
PRECISION_HERE = "앱에서 번역할 때의 수치 정밀도: {precision}."
WEIGHTS_FILE = "**가중치 파일**"
WHOLE_CARD = "카드 전체를 Markdown으로 보기"

# A card: the training
TRAINING = (
    "**학습**(논문의 표 2). NLL(음의 로그 가능도)의 단위는 문장당 nats이며, 학습 세트의 값은 드롭아웃을 "
    "적용하고 잰 것입니다."
)
ENDED = "학습이 끝난 까닭: {reason}."
STEPS_KEPT = "다음 {count}개 시점의 가중치도 저장했습니다(갱신 횟수): {updates}."
MACHINE = (
    "학습한 컴퓨터: {machine.processor}, 코어 {machine.cores}개, 프로세스 {session.processes}개 × 스레드 "
    "{session.threads}개, {device}, {machine.system}, Python {machine.python}, torch {machine.torch}."
)
COMMANDS = "**명령**"
COMMIT = "코드의 커밋: {commits}."
DATA = "**데이터**"
DATA_COLUMNS = {"use": "", "files": "파일", "pairs": "사용한 쌍", "times": "에포크당 횟수", "licence": "라이선스"}

# A card: the scores
NOT_EVALUATED = (
    "아직 평가하지 않았습니다. `jointly evaluate` 명령은 테스트 세트로 체크포인트를 평가하고 점수를 저장합니다."
)
TEST_SETS = "**테스트 세트의 번역**(논문의 표 1)"
SENTENCES = "문장 수"
BLEU_KNOWN = "BLEU(미등록 단어 제외)"
KNOWN_SENTENCES = "미등록 단어 없는 문장 수"
HIGHER_IS_BETTER = "0부터 100까지이며, 높을수록 좋습니다."
EDITS = "단어 100개당 편집 횟수이며, 낮을수록 좋습니다."
BLEU_KNOWN_HELP = "[UNK] 출력을 금지하고, 원문과 참조 번역 어느 쪽에도 미등록 단어가 없는 문장만 계산에 넣습니다."
KNOWN_SENTENCES_HELP = "원문과 참조 번역 어느 쪽에도 미등록 단어가 없는 문장의 수입니다."
BY_LENGTH = "**원문의 단어 수에 따른 BLEU**(논문의 그림 2)"
AGAINST_GOLD = "**정답 링크와 비교한 정렬**(단위 %). 정렬 오류율(AER)은 낮을수록 좋습니다"
SIGNATURES = "시그니처"

# Alignment error rates
LINKS_FROM = "링크의 출처"
RULE = "규칙"
PAIRS = "문장 쌍"

# Scores of all
NO_SCORES = (
    "아직 평가한 체크포인트가 없습니다. `jointly evaluate RUN --set NAME SOURCE REFERENCE` 명령은 테스트 "
    "세트로 체크포인트를 평가하고 결과를 가중치 옆에 저장합니다."
)
TRANSLATION = "번역"
METRICS_EXPLAINED = {
    "bleu": "BLEU는 0부터 100까지이며, 높을수록 좋습니다.",
    "chrf": "chrF는 0부터 100까지이며, 높을수록 좋습니다.",
    "ter": "TER는 단어 100개당 편집 횟수이며, 낮을수록 좋습니다.",
}
COLUMNS_EXPLAINED = {
    "all": "테스트 세트의 모든 문장을 계산에 넣습니다.",
    "known": "[UNK] 출력을 금지하고, 원문과 참조 번역에 미등록 단어가 없는 문장만 계산에 넣습니다.",
}
SCORES_CAPTION = (
    "{metric} {column} 굵은 글씨: 열에서 가장 좋은 값. ±: 부트스트랩으로 1,000번 다시 뽑아 얻은 95% 구간의 "
    "절반. 문장 수: {counts}. 논문의 표 1과 같은 형식입니다. {nothing}: 평가하지 않음."
)
COMPUTING_INTERVALS = "구간을 계산하는 중 …"
SENTENCES_OF = "{test_set} {sentences:,}개"
OTHER_SENTENCES = "{test_set} 테스트 세트: {name} 시스템은 나머지와 다른 문장으로 평가했으므로 제외했습니다"
ALIGNMENT = "정렬"
ALIGNMENT_CAPTION = (
    "정답 링크와 비교한 값이며 단위는 %입니다. 정렬 오류율(AER)은 낮을수록 좋습니다. 링크의 출처는 다음과 "
    "같습니다. attention: 모델이 단어를 쓰기 전에 계산하는 alpha. posterior: 그 단어를 알고 난 뒤의 alpha. "
    "leave-one-out: 원문의 단어를 하나씩 뺄 때 그 단어의 확률이 낮아지는 정도이며, 어텐션이 필요하지 "
    "않습니다."
)
BLEU_SIGNATURES = "BLEU 점수의 시그니처"

# Models and training
CHECKPOINT = "체크포인트"
MODELS = "모델"
MODELS_CAPTION = "m, n, n', l의 뜻은 논문의 부록 A와 같습니다. 최대 길이: 학습 문장 가운데 가장 긴 것의 단어 수."
SAME_LANGUAGES = " 모든 체크포인트의 번역 방향: {value}."
LANGUAGES = "언어"
ARCHITECTURE = "구조"
EXTERNAL = "외부 시스템"
EMBEDDING_HELP = "단어 임베딩의 유닛 수입니다."
HIDDEN_HELP = "은닉 유닛의 수입니다. 인코더의 각 방향과 디코더에 이만큼씩 있습니다."
ALIGNMENT_HELP = "정렬 모델의 유닛 수입니다."
MAXOUT_HELP = "maxout 층의 유닛 수입니다."
VOCABULARIES = "어휘"
LONGEST = "최대 길이"
LONGEST_HELP = "학습에 쓴 가장 긴 문장의 단어 수입니다."
WEIGHTS = "가중치"
SHA256_HELP = "가중치 파일 체크섬의 처음 {digits}자리입니다. 전체는 카드에 있습니다."
TRAININGS = "학습(표 2)"
TRAININGS_CAPTION = (
    "NLL(음의 로그 가능도)은 학습 세트(드롭아웃 적용)와 검증 세트에서 잰 값이며, 단위는 문장당 nats입니다. "
    "어휘가 같은 모델끼리만 비교할 수 있습니다."
)
SAME_MACHINE = " 모든 모델을 학습한 컴퓨터: {value}."
EPOCHS = "에포크"
HOURS = "시간(h)"
MACHINE_COLUMN = "컴퓨터"
NLL_TRAIN = "학습 NLL"
NLL_TRAIN_HELP = "문장당 nats이며, 드롭아웃을 적용한 값입니다."
NLL_DEV = "검증 NLL"
NLL_DEV_HELP = "문장당 nats이며, 어휘가 같은 모델끼리만 비교할 수 있습니다."
CURVE = "곡선"
CURVE_HELP = "학습 중에 검증 세트에서 잰 NLL입니다."
DATA_COLUMN = "데이터"
LICENCES = "라이선스"
STEPS = "스냅샷"
RUNS_CAPTION = "{nothing}: 알 수 없거나 해당하지 않음. 새 체크포인트는 첫 가중치가 저장되는 대로 여기에 나타납니다."

# Several cards
CHECKPOINTS_HELP = "두 개 이상 고르면 학습 곡선을 한 그림에서 보고, 어떤 설정이 다른지 알 수 있습니다."
CURVES_ALT = "갱신 횟수에 따른 검증 세트의 음의 로그 가능도, 체크포인트마다 선 하나: {names}"
CURVES_CAPTION = "검증 세트의 NLL입니다. 어휘가 같은 모델끼리만 비교할 수 있습니다."
SETTINGS_COMPARED = "설정 비교"
FIRST = "첫 번째"
SECOND = "두 번째"
ALL_SETTINGS = "모든 설정"
SAME_SETTINGS = "두 체크포인트의 설정이 같습니다."
SETTING = "설정"
DIFFERS = "다름"
SETTINGS_CAPTION = (
    "설정 {all}개 가운데 {different}개가 다릅니다. `train --set` 옵션에는 이 이름을 씁니다. “data”는 준비된 "
    "데이터 체크섬의 앞부분입니다."
)

# Upload
RUN_FOLDER = "체크포인트: 실행 폴더를 압축한 zip 파일"
RUN_FOLDER_HELP = (
    "`train` 또는 `release` 명령이 만든 그대로의 폴더입니다. config.json, 어휘, model.safetensors, 그 밖의 "
    "파일이 들어 있습니다."
)
SHARED = "추가한 것은 이 서버를 쓰는 모든 사람에게 보입니다. 제거할 때까지 이 서버의 캐시 폴더에 남습니다."
ADD = "추가"
LIMITS = (
    "크기는 {packed:,.0f} MB까지, 압축을 풀었을 때 {unpacked:,.0f} MB까지입니다. 사용하기 전에 서버는 모든 "
    "파일의 이름과 위치와 형식을 확인하고, 가중치가 설정에 적힌 모델과 맞는지 확인합니다."
)
CHOOSE_FILE = "먼저 zip 파일을 고르십시오"
ADDED = "{name} 체크포인트를 확인하고 추가했습니다"
ADDED_UNDER = "{former} 이름의 체크포인트가 이미 있어, 확인한 뒤 {name} 체크포인트로 추가했습니다"
REMOVED = "{name} 체크포인트를 제거했습니다"
CONFIRM = "이 서버에서 {name} 체크포인트를 삭제하시겠습니까?"
