"""The language of a sentence as the page names it, against Python's."""

import random

from nmt.answers.shipped import CONCATENATED, GALLERY, SENTENCES
from nmt.data.identification import LANGUAGES, NAMES, TABLE, foreign
from tests.charts.node import ROOT, evaluate

ODD = [
    "",
    "42 ?!",
    "Hello",
    "나는 어제 사과를 먹었다.",
    "東京は大きい Tokyo",
    "東京 大",
    "Остров далеко.",
    "ελληνικά",
    "a나",
    *(
        "Ｔｈｅ ｃａｔ ｓｌｅｅｐｓ.",
        "𝐓𝐡𝐞 𝐜𝐚𝐭 𝒔𝒍𝒆𝒆𝒑𝒔",
        "µm ª º",
        "ﾊﾝｸﾞﾙ",
        "ﾡﾯﾱ",
        "Ｉｃｈ ｓｃｈｌａｆｅ ｈｅｕｔｅ ｎｉｃｈｔ ｇｕｔ",
    ),
    *("ー", "々々", "ｰ", "ﬁﬂ", "Ⅷ", "ﻗﻂ"),
    "I ate 사과 어제 나는",
    *(
        "кошка спит",
        "القط نائم",
        "猫在睡觉",
        "בית",
        "แมว",
        "बिल्ली",
        "Կատու",
        "კატა",
        "বিড়াল",
        "ድመት",
        "ແມວ",
        "ឆ្មា",
        "பூனை",
    ),
    *("ਬਿੱਲੀ", "બિલાડી", "ಬೆಕ್ಕು", "പൂച്ച", "ᠮᠣᠩᠭᠣᠯ", "ကြောင်", "පූසා", "పిల్లి", "བོད"),
]


def sentences() -> list[str]:
    """Our own in five languages, and words of them drawn at random, some with another case or cut."""
    own = [each.sentence for each in (*SENTENCES, *GALLERY)] + [text for some in CONCATENATED.values() for text in some]
    lines = [line for name in ("jointly-150", "jointly-100-de", "jointly-100-ko") for line in _lines(name)]
    words = [word for text in (*own, *lines) for word in text.split()]
    draw = random.Random(1)
    changed = [str.upper, str.title, lambda word: word[: len(word) // 2], lambda word: word, lambda word: word]
    mixed = [" ".join(draw.choice(changed)(draw.choice(words)) for _ in range(draw.randint(1, 9))) for _ in range(1500)]
    return [*ODD, *own, *lines, *mixed]


def _lines(name: str) -> list[str]:
    return [
        line
        for path in sorted((ROOT / "testsets" / name).glob("*.??"))
        for line in path.read_text("utf-8").splitlines()
    ]


def test_the_page_names_the_language_and_the_script_that_python_names() -> None:
    texts = sentences()
    assert len(texts) > 1500
    given = {"table": TABLE.read_text("utf-8"), "texts": texts, "expected": ["en", "fr", "ko", "ja", "xx"]}
    given["scripts"] = {"languages": LANGUAGES, "names": NAMES}
    expression = """(() => {
      const languages = new m.Languages(given.table, given.scripts);
      return given.expected.map((code) => given.texts.map((text) => languages.foreign(text, code)));
    })()"""
    found = evaluate(ROOT / "nmt" / "page" / "js" / "language.js", expression, given)
    for code, named in zip(given["expected"], found, strict=True):
        expected = [None if (other := foreign(text, code)) is None else vars(other) for text in texts]
        assert [*zip(texts, named, strict=True)] == [*zip(texts, expected, strict=True)]
        assert code == "xx" or 0 < sum(name is None for name in named) < len(texts)
