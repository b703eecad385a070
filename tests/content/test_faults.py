"""Every fault of shape is said once, at its place, under its rule."""

import json

import pytest

from bot.quiz_files import load
from tests.content.desk import CLEAN, HEAD, MINIMAL, changed, places, read, write

UNREADABLE = {
    "nothing": ("", "1:1 error empty-file"),
    "comments alone": ("# soon\n\n", "1:1 error empty-file"),
    "a list": ("- a\n", "1:1 error not-a-quiz"),
    "a word": ("\n  quiz\n", "2:3 error not-a-quiz"),
    "null": ("~", "1:1 error not-a-quiz"),
    "two documents": (CLEAN + "---\ntitle: x\n", "16:1 error several-documents"),
    "text after the end": (CLEAN + "...\nx\n", "17:1 error yaml"),
    "deep nesting": ("a: " + "[" * 21, "1:23 error too-deep"),
    "a NUL byte": ("title: a\0b\n", "1:9 error control-character"),
    "an escape": ("title: x\nlevel: \x1b[31m\n", "2:8 error control-character"),
    "not UTF-8": (b"title: x\nlevel: \xe9\n", "2:8 error not-utf-8"),
    "UTF-16": ("title: x".encode("utf-16"), "1:1 error not-utf-8"),
    "not UTF-8 after a byte order mark": (b"\xef\xbb\xbfa: \xff", "1:4 error not-utf-8"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "1:1 error not-utf-8"),
    "too much": (b"#" * 1_000_001, "1:1 error too-large"),
    "a colon in a text": ("title: a: b\n", "1:9 error yaml"),
    "a backtick first": ("title: `a`\n", "1:8 error yaml"),
    "a tab": ("title:\n\ten: x\n", "2:1 error yaml"),
    "an open quote": ("title: 'a\nlevel: x\n", "1:8 error yaml"),
    "an open bracket": ("title: x\ntags: [a, b\n", "2:7 error yaml"),
    "words after a quote": ('title: "a" b\n', "1:12 error yaml"),
    "a bad indent": ("title: x\n level: y\n", "2:7 error yaml"),
    "a bad escape": ('title: "\\d"\n', "1:9 error yaml"),
}


@pytest.mark.parametrize(("text", "place"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_one_fault_where_reading_stopped(tmp_path, text, place):
    loaded = read(tmp_path, text)
    assert places(loaded) == [place]
    assert loaded.quizzes == ()


_QUESTIONS = CLEAN[CLEAN.index("\n  - id") :]

REFUSED = {
    "an anchor": ("b: Nothing", "b: &x Nothing", ["10:10 error anchor"]),
    "an alias": ("b: Nothing", "b: *args", ["10:10 error alias"]),
    "a tag": ("b: Nothing", "b: !important", ["10:10 error tag"]),
    "a merge key": ("key: a", "key: a\n    <<: {level: easy}", ["13:5 error merge-key"]),
    "a key written twice": ("key: a", "key: a\n    key: b", ["13:5 error duplicate-key"]),
    "a key that is a list": ("key: a", "key: a\n    ? [x]\n    : y", ["13:7 error odd-key"]),
    "a key that is nothing": ("key: a", "key: a\n    ~: y", ["13:5 error odd-key"]),
    "a misspelt key": ("    explanation:", "    explnation:",
        ["6:5 warning missing-explanation", "13:5 error unknown-key"]),
    "an unknown key": ("level: medium", "level: medium\ncolour:", ["3:1 error unknown-key"]),
    "an unknown key of a source": ("title: Docs", "name: x, title: Docs",
        ["15:16 error unknown-key"]),
    "no title": ("title: Checkpoints\n", "", ["1:1 error missing-key"]),
    "an empty title": ("title: Checkpoints", "title:", ["1:1 error missing-key"]),
    "a blank title": ("title: Checkpoints", "title: '  '", ["1:8 error empty-text"]),
    "an invisible title": ("title: Checkpoints", 'title: "\\u200b"', ["1:8 error empty-text"]),
    "a title of two lines": ("title: Checkpoints", 'title: "a\\nb"', ["1:8 error line-break"]),
    "a title that is a list": ("title: Checkpoints", "title: [a]", ["1:8 error not-text"]),
    "no level": ("level: medium\n", "", ["1:1 error missing-key"]),
    "an unknown level": ("level: medium", "level: hrad", ["2:8 error unknown-value"]),
    "a level that is a list": ("level: medium", "level: [easy]", ["2:8 error unknown-value"]),
    "one author without brackets": ("[Sari]", "Sari", ["3:10 error not-a-list"]),
    "an empty author": ("[Sari]", "[~]", ["3:11 error empty-text"]),
    "no questions": ("questions:" + _QUESTIONS, "", ["1:1 error missing-key"]),
    "an empty list of questions": (_QUESTIONS, " []", ["5:12 error empty-list"]),
    "questions that are a text": (_QUESTIONS, " x", ["5:12 error not-a-list"]),
    "a question that is a text": ("  - id: one", "  - One?\n  - id: one", ["6:5 error not-a-map"]),
    "no id": ("id: one\n    stem", "stem", ["6:5 error missing-key"]),
    "an id with capitals": ("id: one", "id: One", ["6:9 error bad-id"]),
    "an id of 41": ("id: one", f"id: {'x' * 41}", ["6:9 error bad-id"]),
    "an id that is a map": ("id: one", "id: {a: b}", ["6:9 error not-text"]),
    "no stem": ("    stem: What is stored?\n", "", ["6:5 error missing-key"]),
    "an empty stem": ("stem: What is stored?", "stem:", ["7:5 error missing-key"]),
    "a stem of no language": ("stem: What is stored?", "stem: {}", ["7:11 error empty-text"]),
    "a stem that moves the cursor": ("What is stored?", '"a\\e[2J"',
        ["7:11 error control-character"]),
    "a stem that turns direction": ("What is stored?", "a\u202eb",
        ["7:11 error control-character"]),
    "an option of nothing": ("b: Nothing", "b: ~", ["10:10 error empty-text"]),
    "options in a list": ("    options:\n      a: Weights\n      b: Nothing\n      c: Colours\n",
        "    options: [x, y]\n", ["8:14 error not-a-map"]),
    "no key": ("    key: a\n", "", ["6:5 error missing-key"]),
    "two keys": ("key: a", "key: [a, b]", ["12:10 error choose-n"]),
    "an empty list of keys": ("key: a", "key: []", ["12:10 error empty-list"]),
    "an unknown kind": ("  - id: one", "  - kind: multiple\n    id: one",
        ["6:11 error unknown-value"]),
    "a switch that is no switch": ("key: a", "key: a\n    keep_order: maybe",
        ["13:17 error not-a-switch"]),
    "a day that is none": ("key: a", "key: a\n    review_by: 2027-02-30",
        ["13:16 error not-a-date"]),
    "a time of day for a day": ("key: a", "key: a\n    review_by: 20270201",
        ["13:16 error not-a-date"]),
    "a bare verified": ("key: a", "key: a\n    verified: {with: x}",
        ["13:15 error missing-key", "13:15 error missing-key"]),
    "an unknown way to verify": ("key: a", "key: a\n    verified: {on: 2026-01-01, by: magic}",
        ["13:36 error unknown-value"]),
    "a source that is a text": ("{title: Docs, url: https://example.org}", "Docs",
        ["15:15 error not-a-map"]),
    "a source without a title": ("{title: Docs, url", "{url", ["15:15 error missing-key"]),
    "an unsafe address": ("https://example.org", "javascript:alert(1)", ["15:34 error url"]),
    "an address with a space": ("https://example.org", "https://example.org/a b",
        ["15:34 error url"]),
    "an address that is a mention": ("https://example.org", "https://<!channel>",
        ["15:34 error url"]),
    "an address without a host": ("https://example.org", "'https://[x'", ["15:34 error url"]),
    "a status of its own": ("key: a", "key: a\n    status: alive", ["13:13 error unknown-value"]),
    "an unknown language": ("level: medium", "level: medium\nlanguages: [en, fr]",
        ["3:17 error unknown-value"]),
    "no languages": ("level: medium", "level: medium\nlanguages: []", ["3:12 error empty-list"]),
    "a next that is no id": ("level: medium", "level: medium\nnext: My Quiz",
        ["3:7 error bad-id", "3:7 warning unknown-next"]),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), REFUSED.values(), ids=REFUSED)
def test_a_slip_is_said_at_its_place(tmp_path, old, new, expected):
    loaded = read(tmp_path, changed(old, new))
    assert places(loaded) == expected
    assert loaded.quizzes == ()
    said = " ".join(fault.message for fault in loaded.faults).lower()
    assert not any(word in said for word in ("pydantic", "input should", "validation", "none type"))


def test_all_faults_of_all_files_come_at_once_and_sorted(tmp_path):
    write(tmp_path, "title: [", "a.yaml")
    broken = changed("level: medium", "level: mid")
    broken = changed("b: Nothing", "b: Weights", broken)
    broken = changed("id: one", "id: One", broken)
    broken = changed("key: a", "key: z", broken)
    broken = changed("sources:", "source:", broken)
    write(tmp_path, broken, "b.yaml")
    faults = load([tmp_path]).faults
    assert [f"{fault.file.name}:{fault.line}:{fault.column}" for fault in faults] == [
        "a.yaml:2:1", "b.yaml:2:8", "b.yaml:6:5", "b.yaml:6:9", "b.yaml:10:10", "b.yaml:12:10",
        "b.yaml:15:5",
    ]  # fmt: skip


def test_a_fault_reads_as_compilers_write_it(tmp_path):
    (fault,) = read(tmp_path, changed("key: a", "key: z")).faults
    file = tmp_path / "checks.yaml"
    assert str(fault) == (
        f"{file}:12:10: error unknown-option `z` is none of the options: write `a`, `b` or `c`."
    )


def test_a_misspelt_name_gets_the_nearest_one(tmp_path):
    faults = read(tmp_path, changed("explanation", "explnation")).faults
    assert "did you mean `explanation`?" in faults[-1].message
    (fault,) = read(tmp_path, changed("level: medium", "level: hrad")).faults
    assert "did you mean `hard`?" in fault.message


def test_a_long_or_odd_name_is_echoed_short_and_on_one_line(tmp_path):
    odd = json.dumps("x\n" + "y" * 500)
    (fault,) = read(tmp_path, changed("level: medium", f"level: medium\n{odd}: 1")).faults
    assert "\n" not in str(fault)
    assert "y" * 40 not in str(fault)


def test_a_minimal_question_is_told_what_would_make_it_better(tmp_path):
    assert places(read(tmp_path, MINIMAL)) == [
        "1:1 warning missing-authors",
        "1:1 warning missing-licence",
        "4:5 warning missing-explanation",
        "4:5 warning missing-sources",
        "4:5 warning missing-why-wrong",
    ]


def test_what_is_no_file_is_a_fault(tmp_path):
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    (tmp_path / "gone.yaml").symlink_to("nowhere.yaml")
    loaded = load([tmp_path, tmp_path / "absent.yaml", tmp_path / "a\0b.yaml"])
    assert {fault.rule for fault in loaded.faults} == {"unreadable"}
    assert len(loaded.faults) == 5


@pytest.mark.parametrize(
    "name", ["Big.yaml", "two words.yaml", "-a.yaml", f"{'x' * 41}.yaml", "a_b.yaml", "a.txt"]
)
def test_a_file_needs_a_name_that_can_be_typed(tmp_path, name):
    assert places(read(tmp_path, CLEAN, name)) == ["1:1 error file-name"]


def test_a_file_ending_in_yml_is_pointed_out(tmp_path):
    write(tmp_path, CLEAN, "quiz.yml")
    assert places(load([tmp_path])) == ["1:1 warning file-name"]


def test_a_quiz_may_not_be_called_like_a_command(tmp_path):
    assert places(read(tmp_path, CLEAN, "menu.yaml", reserved={"menu"})) == [
        "1:1 error reserved-id"
    ]


def test_head_and_questions_are_both_looked_at(tmp_path):
    text = HEAD.replace("level: medium\n", "") + "  - {id: a, stem: x}\n  - y\n"
    assert places(read(tmp_path, text)) == [
        "1:1 error missing-key",
        "5:5 error missing-key",
        "5:5 error missing-key",
        "6:5 error not-a-map",
    ]
