"""Sentences written for this project, which are translated at each validation. They are published with the
events, so they must never come from a corpus."""

SAMPLES: dict[str, tuple[str, ...]] = {
    "en": (
        "The old man is reading a newspaper in the garden.",
        "I do not know where she lives.",
        "The European Economic Area was enlarged last year.",
        "The Minister may, by order, require the owner of a vessel to provide any information.",
    ),
    "fr": (
        "Le vieil homme lit un journal dans le jardin.",
        "Je ne sais pas où elle habite.",
        "L'Espace économique européen a été élargi l'an dernier.",
    ),
    "de": (
        "Der alte Mann liest im Garten eine Zeitung.",
        "Ich weiß nicht, wo sie wohnt.",
        "Der Europäische Wirtschaftsraum wurde letztes Jahr erweitert.",
    ),
    "ja": (
        "おじいさんは庭で新聞を読んでいます。",
        "彼女がどこに住んでいるか知りません。",
        "欧州経済領域は昨年拡大されました。",
    ),
    "ko": (
        "그 노인은 정원에서 신문을 읽고 있다.",
        "나는 그녀가 어디에 사는지 모른다.",
        "나는 어제 사과를 먹었다.",
    ),
}
