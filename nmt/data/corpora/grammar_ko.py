"""Korean-English sentence pairs written by a small grammar: subject, time, place, object with its particle, verb.

The pairs are the project's own (CC0). Korean puts the verb last and English puts it second, so that a model that is
trained on them for three minutes learns to move it. The sentence of the source documents, "I ate an apple yesterday.",
is held out, and so is every pair of its verb with its object.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from nmt.data.corpora.parallel import SentencePair, WrittenSplit, write_split

TRAINING_PAIRS, HELD_OUT = 2000, 50
"""Numbers of pairs in train, and in dev and test each."""
EXAMPLE = ("나는 어제 사과를 먹었다.", "I ate an apple yesterday.")
"""The worked example of the source documents, the first pair of test."""

_SUBJECTS = {
    "나": "I",
    "우리": "we",
    "그": "he",
    "그녀": "she",
    "그들": "they",
    "아이": "the child",
    "선생님": "the teacher",
    "어머니": "my mother",
    "친구": "my friend",
    "학생들": "the students",
    "의사": "the doctor",
    "형": "my brother",
}
_PLURAL = ("we", "they", "the students")
_TIMES = {
    "어제": ("yesterday", "past"),
    "지난주에": ("last week", "past"),
    "오늘 아침에": ("this morning", "past"),
    "어젯밤에": ("last night", "past"),
    "지금": ("now", "present"),
    "내일": ("tomorrow", "future"),
    "다음 주에": ("next week", "future"),
    "오늘 저녁에": ("this evening", "future"),
}
_PLACES = {
    "집": "at home",
    "학교": "at school",
    "시장": "at the market",
    "공원": "in the park",
    "부엌": "in the kitchen",
    "도서관": "in the library",
    "가게": "in the shop",
    "교실": "in the classroom",
}
_OBJECTS = {
    "fruit": {"사과": "an apple", "바나나": "a banana", "오렌지": "an orange", "수박": "a watermelon", "배": "a pear"},
    "food": {"빵": "bread", "밥": "rice", "생선": "fish", "수프": "soup", "샐러드": "a salad", "달걀": "an egg"},
    "drink": {"물": "water", "우유": "milk", "커피": "coffee", "차": "tea", "주스": "juice"},
    "text": {"책": "a book", "편지": "a letter", "신문": "a newspaper", "이야기": "a story"},
    "thing": {"의자": "a chair", "인형": "a doll", "컵": "a cup", "모자": "a hat", "자전거": "a bicycle"},
    "animal": {"고양이": "a cat", "말": "a horse", "새": "a bird"},
    "sound": {"음악": "music", "라디오": "the radio", "노래": "a song"},
    "subject": {"한국어": "Korean", "영어": "English", "수학": "mathematics"},
    "show": {"영화": "a film", "연극": "a play"},
}


@dataclass(frozen=True, kw_only=True)
class _Verb:
    """Forms of a verb. korean: past, before "있다", and before "것이다"; english: past, -ing form, infinitive; objects:
    kinds that it takes; places: where it happens."""

    korean: tuple[str, str, str]
    english: tuple[str, str, str]
    objects: tuple[str, ...]
    places: tuple[str, ...]


_VERBS = (
    _Verb(
        korean=("먹었다", "먹고", "먹을"),
        english=("ate", "eating", "eat"),
        objects=("fruit", "food"),
        places=("집", "학교", "공원", "부엌"),
    ),
    _Verb(
        korean=("마셨다", "마시고", "마실"),
        english=("drank", "drinking", "drink"),
        objects=("drink",),
        places=("집", "학교", "공원", "부엌"),
    ),
    _Verb(
        korean=("샀다", "사고", "살"),
        english=("bought", "buying", "buy"),
        objects=("fruit", "food", "drink", "text", "thing", "animal"),
        places=("시장", "가게"),
    ),
    _Verb(
        korean=("팔았다", "팔고", "팔"),
        english=("sold", "selling", "sell"),
        objects=("fruit", "food", "drink", "thing"),
        places=("시장", "가게"),
    ),
    _Verb(
        korean=("씻었다", "씻고", "씻을"),
        english=("washed", "washing", "wash"),
        objects=("fruit",),
        places=("집", "부엌"),
    ),
    _Verb(
        korean=("잘랐다", "자르고", "자를"),
        english=("cut", "cutting", "cut"),
        objects=("fruit",),
        places=("집", "부엌"),
    ),
    _Verb(
        korean=("그렸다", "그리고", "그릴"),
        english=("drew", "drawing", "draw"),
        objects=("fruit", "animal", "thing"),
        places=("집", "학교", "공원", "교실"),
    ),
    _Verb(
        korean=("가져왔다", "가져오고", "가져올"),
        english=("brought", "bringing", "bring"),
        objects=("fruit", "food", "drink", "text", "thing"),
        places=(),
    ),
    _Verb(
        korean=("읽었다", "읽고", "읽을"),
        english=("read", "reading", "read"),
        objects=("text",),
        places=("집", "학교", "공원", "도서관", "교실"),
    ),
    _Verb(
        korean=("썼다", "쓰고", "쓸"),
        english=("wrote", "writing", "write"),
        objects=("text",),
        places=("집", "학교", "도서관", "교실"),
    ),
    _Verb(
        korean=("만들었다", "만들고", "만들"),
        english=("made", "making", "make"),
        objects=("food", "thing"),
        places=("집", "학교"),
    ),
    _Verb(
        korean=("들었다", "듣고", "들을"),
        english=("listened to", "listening to", "listen to"),
        objects=("sound",),
        places=("집", "공원", "가게"),
    ),
    _Verb(
        korean=("배웠다", "배우고", "배울"),
        english=("learned", "learning", "learn"),
        objects=("subject",),
        places=("집", "학교", "도서관", "교실"),
    ),
    _Verb(
        korean=("가르쳤다", "가르치고", "가르칠"),
        english=("taught", "teaching", "teach"),
        objects=("subject",),
        places=("학교", "도서관", "교실"),
    ),
    _Verb(
        korean=("보았다", "보고", "볼"),
        english=("watched", "watching", "watch"),
        objects=("show",),
        places=("집", "학교", "공원"),
    ),
)


def ends_in_consonant(word: str) -> bool:
    """Whether the last syllable of a Korean word has a final consonant, on which the form of a particle depends.

    >>> ends_in_consonant("사과"), ends_in_consonant("책")
    (False, True)
    """
    return (ord(word[-1]) - 0xAC00) % 28 > 0


def splits() -> dict[str, list[tuple[str, str]]]:
    """The pairs of train, dev and test, Korean first, in random order, always the same.

    ``EXAMPLE`` is the first of test, and no other pair has its verb with its object.
    """
    drawn = random.Random(0).sample(sorted(_all_pairs()), TRAINING_PAIRS + 2 * HELD_OUT - 1)
    held_out = 2 * HELD_OUT - 1
    return {"train": drawn[held_out:], "dev": drawn[:HELD_OUT], "test": [EXAMPLE, *drawn[HELD_OUT:held_out]]}


def build(folder: Path) -> list[WrittenSplit]:
    """Write the splits, as ``corpus get grammar-ko`` does."""
    return [
        write_split(folder, name, [SentencePair(english, korean) for korean, english in pairs], ("en", "ko"))
        for name, pairs in splits().items()
    ]


def _all_pairs() -> Iterator[tuple[str, str]]:
    """All sentences of the grammar but those in which somebody eats an apple."""
    for (who, subject), (when, (time, tense)), verb in product(_SUBJECTS.items(), _TIMES.items(), _VERBS):
        for where in ("", *verb.places):
            for kind in verb.objects:
                for what, thing in _OBJECTS[kind].items():
                    if (what, verb.english[2]) == ("사과", "eat"):
                        continue
                    yield (
                        _korean(who, when, where, what, verb, tense),
                        _english(subject, time, _PLACES.get(where, ""), thing, verb, tense),
                    )


def _korean(who: str, when: str, where: str, what: str, verb: _Verb, tense: str) -> str:
    subject = f"{who}{'은' if ends_in_consonant(who) else '는'}"
    thing = f"{what}{'을' if ends_in_consonant(what) else '를'}"
    past, before_be, before_will = verb.korean
    last = {"past": past, "present": f"{before_be} 있다", "future": f"{before_will} 것이다"}[tense]
    return " ".join([subject, when, *([f"{where}에서"] if where else []), thing, f"{last}."])


def _english(subject: str, time: str, place: str, thing: str, verb: _Verb, tense: str) -> str:
    past, ing, infinitive = verb.english
    be = "am" if subject == "I" else "are" if subject in _PLURAL else "is"
    middle = {"past": past, "present": f"{be} {ing}", "future": f"will {infinitive}"}[tense]
    text = " ".join(filter(None, [subject, middle, thing, place, time]))
    return f"{text[0].upper()}{text[1:]}."
