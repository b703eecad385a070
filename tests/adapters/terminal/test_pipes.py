"""The first quiz answered through a pipe, one answer a line."""

import json

import pytest

from tests.adapters.terminal.shell import KEYS, Shell

LANGUAGES = ("en", "id", "id-x-original")
ALL_RIGHT = {
    "en": "You got 8 of 8 right.",
    "id": "Kamu menjawab benar 8 dari 8.",
    "id-x-original": "Kamu menjawab benar 8 dari 8.",
}
FIRST = {
    "en": "Why are large-model checkpoints split into several shards?",
    "id": "Mengapa checkpoint model besar dipecah menjadi beberapa shard?",
    "id-x-original": "Mengapa pos pemeriksaan model besar dipecah menjadi beberapa bagian?",
}
GO_ON = "Your progress is kept. Go on with: ./latih play checkpointing\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_eight_right_answers_are_eight_of_eight(shell: Shell, language):
    done = shell.begins(*KEYS, flags=("--lang", language))
    assert done.code == 0
    assert FIRST[language] in done.out
    assert ALL_RIGHT[language] in done.out
    assert done.err == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_answer_is_explained_at_once_and_at_the_end(shell: Shell, language):
    done = shell.begins("a", *KEYS[1:], flags=("--lang", language))
    assert done.code == 0
    expected = ALL_RIGHT[language].replace("8", "7", 1)
    assert expected in done.out
    assert "A" in done.out.split("✗", 1)[1].split("\n")[0]
    assert done.out.count(FIRST[language]) == 2


def test_answers_may_be_typed_in_any_case_with_any_line_ending(shell: Shell):
    typed = "\ufeffD\r\n b \nC.\na)\nB\nC\nA\nd"  # as editors of all kinds save it
    done = shell.runs("play", "checkpointing", "--no-shuffle", answers=typed)
    assert "You got 8 of 8 right." in done.out


def test_a_bad_line_gets_a_sentence_and_is_asked_again(shell: Shell):
    done = shell.begins("E", "", "A,C", "42", "x" * 100_0, *KEYS)
    assert done.code == 0
    assert done.err == "Please type one of A, B, C, D.\n" * 5
    assert done.out.count("Question 1 of 8") == 1
    assert "You got 8 of 8 right." in done.out


def test_bytes_that_are_no_text_are_a_bad_line(shell: Shell):
    done = shell.runs("play", "checkpointing", answers=b"\xff\xfe\x00\n\x1b[A\n")
    assert done.code == 0
    assert done.err == "Please type one of A, B, C, D.\n" * 2 + GO_ON


def test_the_end_of_input_keeps_the_progress_and_the_next_start_goes_on(shell: Shell):
    first = shell.begins(*KEYS[:3])
    assert (first.code, first.err) == (0, GO_ON)
    assert "Question 4 of 8" in first.out
    then = shell.plays(*KEYS[3:])
    assert then.out.startswith("Question 4 of 8\n")
    assert "You got 8 of 8 right." in then.out


def test_nothing_typed_at_all_keeps_the_first_question(shell: Shell):
    assert (shell.begins().code, shell.plays().err) == (0, GO_ON)


def test_q_leaves_before_the_rest_of_the_input(shell: Shell):
    done = shell.begins("d", "q", "b")
    assert (done.code, done.err) == (0, GO_ON)
    assert "Right: B" not in done.out


def test_input_after_the_last_answer_is_left_alone(shell: Shell):
    done = shell.begins(*KEYS, "", "1", "a")
    assert (done.code, done.err) == (0, "")
    assert done.out.count("Question 1 of") == 1


def test_l_switches_the_language_and_the_choice_is_kept(shell: Shell):
    first = shell.begins("d", "l", "b", "z")
    assert FIRST["en"] in first.out
    assert "Pertanyaan 2 dari 8" in first.out
    assert "Benar: B." in first.out
    assert "Ketik salah satu dari A, B, C, D." in first.err
    assert "Progres kamu tersimpan." in first.err
    assert "Pertanyaan 3 dari 8" in shell.plays().out
    assert "Question 3 of 8" in shell.plays("L").out


def test_the_language_asked_for_is_kept(shell: Shell):
    shell.begins("d", flags=("--lang", "id-x-original"))
    assert "Apa manfaat utama pelatihan" in shell.plays("b").out


def test_a_verdict_stands_below_its_question_and_does_not_repeat_it(shell: Shell):
    done = shell.begins("d", flags=("--lang", "en"))
    assert done.out.count(FIRST["en"]) == 1
    assert done.out.index(FIRST["en"]) < done.out.index("✓ Right: D.")


def test_a_run_left_at_a_verdict_shows_its_question_too(shell: Shell):
    shell.begins("d")
    with_question = shell.plays("b").out
    assert "Question 2 of 8" in with_question.split("✓ Right: B.")[0]


def test_the_key_is_in_no_output_before_the_answer(shell: Shell):
    done = shell.begins()
    assert "✓" not in done.out
    assert "right answer" not in done.out
    assert "One huge file means" not in done.out
    assert '"key"' not in shell.plays(flags=("--json",)).out


def test_nothing_that_colours_goes_into_a_pipe(shell: Shell):
    assert "\x1b" not in shell.begins(*KEYS).out


def test_people_are_told_apart_by_name(shell: Shell):
    shell.begins("d")
    other = shell.begins("b", flags=("--as", "Siti Rahma"))
    assert "Question 1 of 8" in other.out
    assert other.err.endswith("./latih play checkpointing --as 'Siti Rahma'\n")
    assert shell.plays().out.startswith("Question 2 of 8")


def test_json_has_one_object_a_line_and_nothing_else(shell: Shell):
    done = shell.begins("a", "nonsense", *KEYS[1:], flags=("--json",))
    question, answer, *_ = done.out.splitlines()
    assert question == (
        '{"question":1,"of":8,"id":"seed-01",'
        '"text":"Why are large-model checkpoints split into several shards?",'
        '"options":{"A":"To make the model train faster on small inputs",'
        '"B":"To hide the model weights from users",'
        '"C":"Because sharding raises accuracy",'
        '"D":"Because one checkpoint can be too large for one file or machine to handle'
        ' efficiently"}}'
    )
    assert answer.startswith('{"answer":"A","right":false,"key":"D","why":"One huge file means')
    assert done.out.endswith('\n{"score":7,"of":8}\n')
    kinds = [next(iter(value)) for value in done.json]
    assert kinds == ["question", "answer"] * 8 + ["score"]
    assert done.err == "Please type one of A, B, C, D.\n"


def test_json_goes_on_with_an_open_run(shell: Shell):
    first = shell.begins(*KEYS[:4], flags=("--json", "--lang", "id"))
    assert first.err == GO_ON.replace(
        "Your progress is kept. Go on with", "Progres kamu tersimpan. Lanjutkan dengan"
    )
    then = shell.plays(*KEYS[4:], flags=("--json",))
    assert then.json[0]["question"] == 5
    assert then.json[0]["text"] == "Apa peran file indeks pada checkpoint yang di-shard?"
    assert then.json[-1] == {"score": 8, "of": 8}


def test_the_same_seed_gives_the_same_order(shell: Shell):
    def order(*flags: str) -> dict[str, str]:
        return json.loads(shell.plays(flags=("--json", *flags)).out)["options"]

    assert order("--seed", "5", "--as", "a") == order("--seed", "5", "--as", "b")
    seeds = {tuple(order("--seed", str(n), "--as", f"s{n}").values()) for n in range(6)}
    assert len(seeds) > 1
