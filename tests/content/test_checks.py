"""What fits its shape and would still break a post, and what had better be there."""

import pytest

from bot.chat.limits import HEADING, OPTION, SCREEN
from bot.quiz_files import load
from tests.content.desk import CLEAN, QUESTION, changed, errors, places, read, write

BOTH = "level: medium\nlanguages: [en, id]"
ALL = "level: medium\nlanguages: [en, id, id-x-original]"

BREAKING = {
    "a key that is no option": ("key: a", "key: d", ["12:10 error unknown-option"]),
    "a remark on no option": ("b: No., c", "b: No., e: X, c", ["14:25 error unknown-option"]),
    "a remark on the key": ("b: No.", "a: Yes, b: No.", ["14:17 error why-wrong-key"]),
    "an option named in words": ("      c: C", "      third: C", [
        "11:7 error option-id", "14:25 error unknown-option", "6:5 warning missing-why-wrong"]),
    "an option named in capitals": ("      c: C", "      C: C", [
        "11:7 error option-id", "14:25 error unknown-option", "6:5 warning missing-why-wrong"]),
    "one option": ("      b: Nothing\n      c: Colours\n", "", [
        "12:17 error unknown-option", "12:25 error unknown-option", "8:5 error option-count"]),
    "nine options": ("      c: Colours", "".join(f"      {x}: {x}{x}\n" for x in "cdefghi")[:-1], [
        "17:7 error option-id", "6:5 warning missing-why-wrong", "8:5 error option-count"]),
    "two options that read alike": ("b: Nothing", "b: WEIGHT\uff33", [
        "10:10 error duplicate-option"]),
    "an option too long": ("b: Nothing", "b: " + "x" * (OPTION + 1), [
        "10:10 error option-too-long"]),
    "a title too long": ("Checkpoints", "x" * (HEADING + 1), ["1:8 error title-too-long"]),
    "an explanation too long": ("Because they are needed.", "w" * SCREEN, [
        "6:5 error screen-too-long"]),
    "an explanation too long once escaped": ("they are needed.", "&" * (SCREEN // 5), [
        "6:5 error screen-too-long"]),
    "a remark too long": ("c: Never.", f"c: {'w' * SCREEN}", ["6:5 error screen-too-long"]),
    "a reading too long": ("level: medium", f"level: medium\nreading:\n- title: {'w' * SCREEN}", [
        "8:5 error screen-too-long"]),
    "a description too long": ("level: medium", f"level: medium\ndescription: {'w' * SCREEN}", [
        "7:5 error screen-too-long"]),
    "no live question": ("key: a", "key: a\n    status: retired", ["5:1 error no-live-question"]),
    "a plain text in a quiz of two languages": ("level: medium", BOTH, [
        "10:10 error which-language", "11:10 error which-language", "12:10 error which-language",
        "14:18 error which-language", "15:20 error which-language", "15:28 error which-language",
        "1:8 error which-language", "8:11 error which-language"]),
    "texts in unknown languages": ("title: Checkpoints", "title: {en: x, fr: y, de: z}", [
        "1:16 error unknown-language", "1:23 error unknown-language"]),
    "a text in no language": ("stem: What is stored?", "stem: {'': x}", [
        "7:11 error unknown-language"]),
    "a text in an undeclared language": ("stem: What is stored?", "stem: {en: x, id: y}", [
        "7:19 error undeclared-language"]),
}  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    BREAKING.values(),
    ids=BREAKING,
)
def test_what_would_break_a_post_is_an_error(tmp_path, old, new, expected):
    loaded = read(tmp_path, changed(old, new))
    assert sorted(places(loaded)) == expected
    assert loaded.quizzes == ()


def test_options_that_differ_only_in_spaces_and_case_read_alike(tmp_path):
    text = changed("b: Nothing", 'b: "\\u00a0 weights \\u200b"')
    assert places(read(tmp_path, text)) == ["10:10 error duplicate-option"]


def test_the_longest_that_fits_loads(tmp_path):
    last = "CheckpointsWhat is stored?WeightsNothingColoursDocshttps://example.org"
    spent = len(last) + len("- [](<>)\n")
    fits = changed("Because they are needed.", "w" * (SCREEN - spent))
    assert errors(read(tmp_path, fits)) == []
    over = changed("Because they are needed.", "w" * (SCREEN - spent + 1))
    (fault,) = read(tmp_path, over).faults
    assert f"{SCREEN + 1:,} characters in `en` as it is sent" in fault.message
    assert f"the limit is {SCREEN:,}" in fault.message


@pytest.mark.parametrize("text", ["Issue #12 is open", "a # b", "rank 0  #first"])
def test_a_text_that_a_comment_cuts_off_is_a_warning(tmp_path, text):
    cut = read(tmp_path, changed("b: Nothing", f"b: {text}"))
    assert places(cut) == ["10:10 warning cut-text"]
    assert read(tmp_path, changed("b: Nothing", f'b: "{text}"')).faults == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("key: a", "key: a  # of three"),
        ("level: medium", "level: medium # or so"),
        ("b: Nothing", "b: C#"),
        ("b: Nothing", "# the short one\n      b: Nothing"),
    ],
)
def test_a_comment_that_cuts_no_text_off_is_fine(tmp_path, old, new):
    assert read(tmp_path, changed(old, new)).faults == ()


def test_options_longer_than_buttons_are_fine(tmp_path):
    text = changed("b: Nothing", "b: " + "b" * OPTION)
    assert read(tmp_path, text).faults == ()


def test_options_equal_in_their_first_eighty_characters_are_two_options(tmp_path):
    long = "The run resumes from the last complete checkpoint and replays the loader up to step"
    text = changed("b: Nothing", f"b: {long} 2000", changed("a: Weights", f"a: {long} 1000"))
    assert read(tmp_path, text).faults == ()


def bilingual(stem="{en: Which?, id: Mana?}", b="{en: Two, id: Dua}", why="{en: So., id: Jadi.}"):
    return f"""\
title: {{en: Checkpoints, id: Checkpoint}}
level: easy
languages: [en, id]
authors: [Sari]
licence: CC-BY-4.0
questions:
  - id: one
    stem: {stem}
    options:
      a: {{en: One, id: Satu}}
      b: {b}
    key: a
    explanation: {why}
    why_wrong: {{b: {{en: No., id: Bukan.}}}}
    sources: [{{title: Docs}}]
"""


def test_a_text_missing_in_one_language_is_a_warning_at_the_text(tmp_path):
    assert read(tmp_path, bilingual()).faults == ()
    stem = read(tmp_path, bilingual(stem="{en: Which?}"))
    assert places(stem) == ["8:11 warning missing-language"]
    assert "`id`" in stem.faults[0].message
    assert stem.quizzes
    option = read(tmp_path, bilingual(b="{id: Dua}"))
    assert places(option) == ["11:10 warning missing-language"]
    assert places(read(tmp_path, bilingual(why="{en: So.}"))) == ["13:18 warning missing-language"]


def test_options_that_read_alike_in_one_language_only_are_refused(tmp_path):
    loaded = read(tmp_path, bilingual(b="{en: Two, id: satu}"))
    assert places(loaded) == ["11:24 error duplicate-option"]
    assert "`id`" in loaded.faults[0].message


def test_a_language_that_fell_back_may_not_read_like_another_option(tmp_path):
    loaded = read(tmp_path, bilingual(b="{en: Satu}"))
    assert [fault.rule for fault in loaded.faults] == ["duplicate-option", "missing-language"]


def test_the_original_wording_may_be_missing_anywhere(tmp_path):
    text = bilingual().replace("[en, id]", "[en, id, id-x-original]")
    assert read(tmp_path, text).faults == ()


def test_the_original_wording_alone_is_not_enough(tmp_path):
    text = bilingual(b="{id-x-original: Dua}").replace("[en, id]", "[en, id, id-x-original]")
    assert places(read(tmp_path, text)) == ["11:10 error missing-text"]


def test_a_screen_is_measured_in_every_language(tmp_path):
    long = bilingual(why=f"{{en: So., id: {'w' * SCREEN}}}")
    (fault,) = read(tmp_path, long).faults
    assert fault.rule == "screen-too-long"
    assert "`id`" in fault.message


def test_a_question_id_belongs_to_one_question_of_all_files(tmp_path):
    write(tmp_path, CLEAN + QUESTION, "a.yaml")
    write(tmp_path, CLEAN, "b.yaml")
    loaded = load([tmp_path])
    assert [(f.file.name, f.line, f.rule) for f in loaded.faults] == [
        ("a.yaml", 16, "duplicate-question"),
        ("b.yaml", 6, "duplicate-question"),
    ]
    assert all(f"{tmp_path / 'a.yaml'}:6" in fault.message for fault in loaded.faults)


def test_whoever_comes_first_keeps_the_name(tmp_path):
    own, team = tmp_path / "zz", tmp_path / "aa"
    for folder, question in ((own, "one"), (team, "two")):
        folder.mkdir()
        write(folder, changed("id: one", f"id: {question}"))
    loaded = load([own, team])
    (fault,) = loaded.faults
    assert (fault.rule, fault.file) == ("duplicate-quiz", team / "checks.yaml")
    assert str(own / "checks.yaml") in fault.message
    assert [quiz.questions[0].id for quiz in loaded.quizzes] == ["one"]


def test_names_that_lead_nowhere_are_warnings(tmp_path):
    text = changed("level: medium", "level: medium\nnext: cheks") + "    enemies: [two, one]\n"
    loaded = read(tmp_path, text)
    assert places(loaded) == ["3:7 warning unknown-next", "17:15 warning unknown-enemy"]
    assert "did you mean `checks`?" in loaded.faults[0].message
    assert loaded.quizzes


def test_names_in_other_files_are_known(tmp_path):
    write(tmp_path, changed("level: medium", "level: medium\nnext: b"), "a.yaml")
    write(tmp_path, changed("id: one", "id: two") + "    enemies: [one]\n", "b.yaml")
    assert load([tmp_path]).faults == ()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("    explanation: Because they are needed.\n", "6:5 warning missing-explanation"),
        ("    why_wrong: {b: No., c: Never.}\n", "6:5 warning missing-why-wrong"),
        ("    sources: [{title: Docs, url: https://example.org}]\n", "6:5 warning missing-sources"),
        ("authors: [Sari]\n", "1:1 warning missing-authors"),
        ("licence: CC-BY-4.0\n", "1:1 warning missing-licence"),
    ],
)
def test_what_had_better_be_there_is_a_warning(tmp_path, line, expected):
    loaded = read(tmp_path, changed(line, ""))
    assert [place.partition(":")[2] for place in places(loaded)] == [expected.partition(":")[2]]
    assert loaded.quizzes


def test_a_retired_question_needs_no_upkeep(tmp_path):
    retired = "  - {id: two, stem: x, options: {a: x, b: y}, key: a, status: retired}\n"
    assert read(tmp_path, CLEAN + retired).faults == ()
