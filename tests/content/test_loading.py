"""What a quiz file may look like, and the quiz that it gives."""

from datetime import date

import pytest

from bot.engine.language import Language, Text
from bot.engine.quiz import Kind, Level, QuizKind, Source, Status, Upkeep, Verified
from bot.quiz_files import load
from tests.content.desk import CLEAN, HEAD, MINIMAL, QUESTION, changed, places, read, write

FULL = """\
title: {en: Shards, id: Shard, id-x-original: Pecahan}
kind: guide
description: {en: All on shards., id: Semua tentang shard.}
preview_note: {en: Without answers., id: Tanpa jawaban.}
level: hard
languages: [en, id, id-x-original]
reading: [{title: Guide, url: "https://example.org/guide"}, {title: A book}]
authors: [Sari, Budi]
licence: CC-BY-4.0
questions:
  - id: one
    kind: single
    level: easy
    tags: [sharding, 2026]
    stem: {en: Why shards?, id: Mengapa shard?, id-x-original: Mengapa pecahan?}
    options:
      a: {en: Size, id: Ukuran}
      b: {en: Beauty, id: Keindahan}
    key: [a]
    explanation: {en: Files have limits., id: File punya batas.}
    why_wrong: {b: {en: Nobody looks., id: Tak ada yang melihat.}}
    sources: [{title: Docs, url: https://example.org/docs}]
    keep_order: True
    enemies: [two]
    applies_to: ["transformers>=5"]
    verified: {on: 2026-12-01, by: observation, with: torch 2.13}
    review_by: 2027-06-01
    status: live
  - {id: two, stem: {en: "Q", id: "T"}, options: {a: {en: x, id: x}, b: {en: y, id: y}}, key: b,
     status: draft}
"""


def test_a_question_of_eight_lines_loads(tmp_path):
    loaded = read(tmp_path, MINIMAL)
    (quiz,) = loaded.quizzes
    (question,) = quiz.live
    assert (quiz.id, quiz.kind, quiz.languages) == ("checks", QuizKind.TOPIC, (Language.EN,))
    assert (question.id, question.level, question.key) == ("one", Level.EASY, ("a",))
    assert [option.id for option in question.options] == ["a", "b", "c", "d"]
    assert question.stem == Text({Language.EN: "What is stored?"})
    assert not question.keep_order
    assert {fault.severity for fault in loaded.faults} == {"warning"}


def test_everything_that_can_be_written_arrives(tmp_path):
    (quiz,) = read(tmp_path, FULL).quizzes
    one, two = quiz.questions
    assert quiz.title.said[Language.ORIGINAL] == "Pecahan"
    assert (quiz.kind, quiz.level) == (QuizKind.GUIDE, Level.HARD)
    assert quiz.description.told(Language.ID) == "Semua tentang shard."
    assert quiz.preview_note.told(Language.EN) == "Without answers."
    assert quiz.reading == (Source("Guide", "https://example.org/guide"), Source("A book"))
    assert (quiz.authors, quiz.licence) == (("Sari", "Budi"), "CC-BY-4.0")
    assert (one.kind, one.level, one.tags) == (Kind.SINGLE, Level.EASY, ("sharding", "2026"))
    assert (one.key, one.keep_order) == (("a",), True)
    assert one.languages == (Language.EN, Language.ID, Language.ORIGINAL)
    assert one.explanation.told(Language.ORIGINAL) == "File punya batas."
    assert one.option("b").why_wrong.told(Language.EN) == "Nobody looks."
    assert one.option("a").why_wrong is None
    assert one.sources == (Source("Docs", "https://example.org/docs"),)
    assert one.upkeep == Upkeep(
        enemies=("two",),
        applies_to=("transformers>=5",),
        verified=Verified(date(2026, 12, 1), "observation", "torch 2.13"),
        review_by=date(2027, 6, 1),
    )
    assert two.level is Level.HARD
    assert two.upkeep.status is Status.DRAFT
    assert quiz.live == (one,)


def test_a_complete_file_has_no_fault(tmp_path):
    assert read(tmp_path, CLEAN).faults == ()


@pytest.mark.parametrize(
    "typed",
    ["no", "yes", "on", "off", "3.10", "3.1", "09:30", "12:30:45", "010", "0x10", "1_000", "1e3",
     "2026-11-30", ".inf", "True", "NULL", "nil", "=", "1.", "-1"],
)  # fmt: skip
def test_an_option_is_what_was_typed(tmp_path, typed):
    (quiz,) = read(tmp_path, changed("b: Nothing", f"b: {typed}")).quizzes
    assert quiz.questions[0].option("b").text.asked(Language.EN) == typed


def test_yes_and_no_may_be_everything(tmp_path):
    text = HEAD + "  - {id: on, stem: no, options: {a: yes, b: no, c: on, d: off}, key: b}\n"
    (quiz,) = read(tmp_path, changed("title: Checkpoints", "title: no", text)).quizzes
    assert quiz.title.told(Language.EN) == "no"
    assert quiz.questions[0].id == "on"


def test_null_in_quotes_is_a_word(tmp_path):
    (quiz,) = read(tmp_path, changed("b: Nothing", "b: 'null'")).quizzes
    assert quiz.questions[0].option("b").text.asked(Language.EN) == "null"


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(tmp_path):
    windows = b"\xef\xbb\xbf" + CLEAN.replace("\n", "\r\n").encode()
    plain = read(tmp_path, CLEAN)
    assert read(tmp_path, windows).quizzes == plain.quizzes


def test_a_plain_text_is_in_the_only_language_declared(tmp_path):
    text = changed("level: medium", "level: medium\nlanguages: [id]")
    (quiz,) = read(tmp_path, text).quizzes
    assert quiz.title.said == {Language.ID: "Checkpoints"}
    assert quiz.questions[0].stem.said == {Language.ID: "What is stored?"}


def test_empty_values_count_as_not_written(tmp_path):
    text = changed("level: medium", "level: medium\ndescription:\nreading: ~\nnext: null\nkind:")
    loaded = read(tmp_path, text)
    assert loaded.faults == ()
    assert loaded.quizzes[0].description is None


def test_code_keeps_its_lines_and_indentation(tmp_path):
    stem = 'stem: "```\\nfor x in y:\\n\\tprint(x)\\n```"'
    (quiz,) = read(tmp_path, changed("stem: What is stored?", stem)).quizzes
    assert quiz.questions[0].stem.asked(Language.EN) == "```\nfor x in y:\n\tprint(x)\n```"


def test_markup_and_mentions_stand_as_typed(tmp_path):
    typed = "<!channel> & @everyone, `__init__`, *args, a || b, <https://example.org|x>"
    (quiz,) = read(tmp_path, changed("b: Nothing", f"b: '{typed}'")).quizzes
    assert quiz.questions[0].option("b").text.asked(Language.EN) == typed


def test_a_folder_gives_its_quizzes_by_name(tmp_path):
    for name in ("b", "a-2", "a"):
        write(tmp_path, changed("id: one", f"id: {name}"), f"{name}.yaml")
    write(tmp_path, "{}", "quiz.schema.json")
    write(tmp_path, "not: read", ".hidden.yaml")
    write(tmp_path, "# not read", "README.md")
    loaded = load([tmp_path])
    assert [quiz.id for quiz in loaded.quizzes] == ["a", "a-2", "b"]
    assert loaded.faults == ()
    assert (len(loaded.files), loaded.questions) == (3, 3)


def test_a_file_named_twice_is_read_once(tmp_path):
    file = write(tmp_path, CLEAN)
    loaded = load([tmp_path, file, tmp_path])
    assert len(loaded.quizzes) == 1
    assert loaded.faults == ()


def test_a_broken_file_keeps_no_other_from_loading(tmp_path):
    write(tmp_path, "title: [", "broken.yaml")
    write(tmp_path, CLEAN, "whole.yaml")
    loaded = load([tmp_path])
    assert [quiz.id for quiz in loaded.quizzes] == ["whole"]
    assert [fault.file.name for fault in loaded.faults] == ["broken.yaml"]


def test_an_empty_folder_has_no_quizzes_and_no_faults(tmp_path):
    assert load([tmp_path]).quizzes == ()
    assert load([]).faults == ()


def test_the_order_of_questions_and_options_is_the_files(tmp_path):
    second = changed("id: one", "id: another", QUESTION)
    (quiz,) = read(tmp_path, CLEAN + second).quizzes
    assert [question.id for question in quiz.questions] == ["one", "another"]


def test_a_review_is_overdue_only_by_the_day_that_is_given(tmp_path):
    text = CLEAN + "    review_by: 2026-11-30\n"
    assert places(read(tmp_path, text)) == ["16:16 warning review-past"]
    assert read(tmp_path, text, today=None).faults == ()
    assert read(tmp_path, text, today=date(2026, 11, 30)).faults == ()
