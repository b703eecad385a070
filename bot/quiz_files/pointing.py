"""Words that point at options by place or letter, in English and Indonesian.

A letter that the stem itself uses as a name ("Matrices A and B") is no option's letter, and
neither is the English article.
"""

import re
from collections.abc import Iterable
from typing import Final


class _Pattern:
    """A pattern with the words of which it needs one: without them it is not even tried."""

    def __init__(
        self, pattern: str, needs: tuple[str, ...] = ("",), *, any_case: bool = False
    ) -> None:
        self._needs: Final = needs
        self._anchored: Final = pattern.startswith("^")
        self._regex: Final = re.compile(pattern, re.IGNORECASE if any_case else 0)

    def found(self, words: str, lower: str) -> list[str]:
        """Each match in `words`; `lower` is the same in lower case."""
        for need in self._needs:
            if need in lower:
                break
        else:
            return []
        if self._anchored:  # a search would try every position all the same
            match = self._regex.match(words)
            return [match[0]] if match else []
        return [match[0] for match in self._regex.finditer(words)]


_JUDGEMENTS = ("correct", "right", "wrong", "true", "false")
_PENILAIAN = ("benar", "salah", "tepat", "betul", "keliru")
_NOUNS = ("option", "answer", "choice", "letter", "jawaban", "pilihan", "opsi", "huruf")

_GOOD = r"(?:(?:in)?correct|right|wrong|true|false)"
_BAIK = r"(?:benar|salah|tepat|betul|keliru)"
_NOUN = r"(?:answers?|options?|choices?|statements?|others?)"
_KATA = r"(?:dari|antara|yang|jawaban|pilihan|opsi|pernyataan|ini|itu|tersebut|satu ?pun)"
_EDGE = r"\w'\u2019\-+#="
_LETTER = rf"(?<![\w'\u2019.\-])\(?[A-H]\)?(?![{_EDGE}])"
_AND = r"\s*(?:,\s*(?:and|or|dan|atau)?|and|or|nor|&|\+|/|dan|atau|maupun|serta)\s*"
_WHICH = r"(?:options?|answers?|jawaban|pilihan|opsi|semua kecuali|all except|all but)"

# "All of the above", "none of the answers above are correct".
_ABOVE = (
    r"\b(?:all|none|any|both|neither|either|each|two|three|most|some|everything|nothing)"
    rf"(?: of)?(?: the| these| those)?(?: {_NOUN})?(?: (?:listed|mentioned|given))? "
    rf"(?:above|below)(?: {_NOUN})?(?=\W*$|\W+(?:are|is|apply|applies|mentioned|listed)\b)"
)
# "Both of these", "none of the other options".
_OF_THESE = (
    r"^(?:all|none|any|both|neither|either)(?: of)? (?:the|these|those)"
    rf"(?: (?:other|preceding|previous|listed|given))?(?: {_NOUN})?"
    rf"(?: (?:are|is) (?:all )?{_GOOD})?\W*$"
)
# "None are correct", "all of them are wrong".
_ARE_RIGHT = (
    r"^(?:all|none|both|neither)(?: of (?:them|these|those))?(?: answers?| options?)?"
    rf" (?:are|is) {_GOOD}\W*$"
)
# "Semua jawaban di atas", "bukan salah satu di atas".
_DI_ATAS = (
    r"\b(?:semua(?:nya)?|seluruh(?:nya)?|tidak ada|tak ada|bukan|keduanya|salah satu"
    rf"|jawaban|pilihan|opsi)(?: \w+){{0,3}} di ?atas(?=\W*$|\W+(?:yang )?{_BAIK}\b)"
)
# "Tidak ada yang benar", "semua benar".
_SEMUA_BENAR = (
    r"^(?:semua(?:nya)?|seluruh(?:nya)?|keduanya|(?:tidak|tak) (?:ada|satu ?pun))"
    rf"(?: {_KATA})* (?:{_BAIK}|jawaban|pilihan|opsi)\W*$"
)
_CATCH_ALLS = (
    _Pattern(_ABOVE, ("above", "below"), any_case=True),
    _Pattern(_OF_THESE, ("the", "these", "those"), any_case=True),
    _Pattern(_ARE_RIGHT, _JUDGEMENTS, any_case=True),
    _Pattern(_DI_ATAS, ("atas",), any_case=True),
    _Pattern(_SEMUA_BENAR, (*_PENILAIAN, *_NOUNS), any_case=True),
)

# "Both A and C", "hanya A dan B"; "option B"; "A and C are right".
_BOTH_LETTERS = (
    r"^(?:(?:both|only|either|neither|just|hanya|baik|all (?:of the above )?except"
    rf"|{_WHICH})\s+)+[a-h](?:{_AND}[a-h])+(?!\w)"
)
_ONE_LETTER = rf"^{_WHICH}\s+[a-h]\W*$"
_BARE_LETTERS = (
    r"^\(?[A-H]\)?(?:\s*(?:,|and|or|&|dan|atau)\s*\(?[A-H]\)?)+"
    rf"(?: (?:only|saja|keduanya|(?:are |is )?(?:both )?(?:{_GOOD}|{_BAIK})))?\W*$"
)
_COMBINED = (
    _Pattern(_BOTH_LETTERS, any_case=True),
    _Pattern(_ONE_LETTER, any_case=True),
    _Pattern(_BARE_LETTERS),
)

# "The first option", "opsi di bawah".
_PLACES = _Pattern(
    r"\b(?:first|second|third|fourth|last|previous) (?:options?|answers?)\b"
    r"|\b(?:options?|answers?|choices?) (?:above|below)\b"
    r"|\b(?:opsi|pilihan|jawaban) (?:pertama|kedua|ketiga|keempat|terakhir|di ?(?:atas|bawah))\b",
    _NOUNS,
    any_case=True,
)
# "Jawaban A", "the answer is D".
_ANSWER_B = (
    r"\b(?i:options?|answers?|choices?|letters?|jawaban(?:nya)?|pilihan|opsi|huruf)"
    rf"(?:\s+(?:is|adalah|ialah))?:?\s+[`\"\u201c(]?(?:[A-H]|[b-h])(?![{_EDGE}])"
)
# "B is wrong".
_B_IS_WRONG = (
    rf"{_LETTER}\s+(?:is|are|was|were|would be)(?:n['\u2019]t| not)?"
    rf"(?: (?:also|only|both|the|simply|partly|clearly|a))*\s+{_GOOD}\b"
)
# "C jelas keliru".
_C_SALAH = (
    rf"{_LETTER}\s+(?:(?:itu|juga|jelas|adalah|memang|keduanya|tidak|yang|sama-sama) )*"
    rf"{_BAIK}(?![\w-])"
)
# "A: leaves a torn file".
_A_COLON = r"(?:^|[.!?;]\s+|\n\s*)\(?[A-H][:)]\s"
_NAMED = (
    _Pattern(_ANSWER_B, _NOUNS),
    _Pattern(_B_IS_WRONG, _JUDGEMENTS),
    _Pattern(_C_SALAH, _PENILAIAN),
    _Pattern(_A_COLON, (":", ")")),
)
_ALONE = re.compile(r"(?<![^\W_])[A-Ha-h](?![^\W_])")
_NAME = re.compile(_LETTER)
_ARTICLE = re.compile(r"A\s+(?!(?:and|or|to|is|has|dan|atau|ke)\b)[a-z]")


def in_option(words: str, names: frozenset[str]) -> str:
    """What in an option points at other options; nothing when it stands by itself."""
    squeezed = " ".join(words.split())
    lower = squeezed.lower()
    for catch_all in _CATCH_ALLS:
        if catch_all.found(squeezed, lower):
            return squeezed
    for combined in _COMBINED:
        if combined.found(squeezed, lower) and _points(squeezed, names):
            return squeezed
    return ""


def in_remark(words: str, names: frozenset[str]) -> str:
    """What in an explanation points at an option by its place or letter."""
    lower = words.lower()
    for place in _PLACES.found(words, lower):
        return place
    for named in _NAMED:
        for found in named.found(words, lower):
            if _points(found, names):
                return found.strip(" .!?;\n")
    return ""


def names_in(stems: Iterable[str]) -> frozenset[str]:
    """The capital letters that `stems` use as names of things."""
    return frozenset(
        found[0].strip("()")
        for words in stems
        for found in _NAME.finditer(words)
        if not _ARTICLE.match(words, found.start())
    )


def _points(words: str, names: frozenset[str]) -> bool:
    """Whether some letter in `words` is an option's and no name from the stem."""
    return not {letter.upper() for letter in _ALONE.findall(words)} <= names
