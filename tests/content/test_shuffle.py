"""Options are shuffled: what points at them by place or letter is found, and only that."""

import pytest

from tests.content.desk import changed, places, read

POINTING_OPTIONS = [
    "All of the above", "all of the above.", "None of the above", "All the above", "All of these",
    "All of the above options are correct", "Two of the above", "None of the other options",
    "None are correct", "Any of the above", "Both A and C", "both a and c", "A and C", "A & B",
    "(A) and (B)", "A, B and C", "Neither A nor B", "Answers A and B are correct", "All but B",
    "Option B", "Semua jawaban di atas", "Semua di atas", "Seluruh jawaban di atas", "Semua benar",
    "Semua jawaban benar", "Semua kecuali C", "Tidak ada yang benar", "Tidak ada di atas",
    "tidak ada jawaban yang benar", "Tidak satu pun jawaban di atas", "Bukan salah satu di atas",
    "Keduanya benar", "A dan B", "Jawaban A dan C", "Hanya A dan B", "Pilihan A dan B benar",
]  # fmt: skip

PLAIN_OPTIONS = [
    "A job that writes", "All values above 0.5", "All of the ranks", "None", "All of them", "Both",
    "Only C", "C", "A", "A/B test", "B+ tree", "Every rank above 0", "Both ranks write",
    "Vitamin A and iron", "Everything above the threshold is dropped", "None of the ranks writes",
    "All of the optimizer state", "Semua", "Semua rank di atas 0", "Tidak ada data yang hilang",
    "Semua state yang benar disimpan",
]  # fmt: skip

POINTING_REMARKS = [
    "B is wrong because a crash leaves a torn file.", "A is correct.", "A isn't correct.",
    "A and C are wrong.", "The answer is D.", "See answer D.", "Option C is fine.",
    "With option b it is lost.", "A: leaves a torn file.", "Only one. C: no.", "(B) is wrong.",
    "The first option is slow.", "Jawaban A dan B keduanya perlu.", "Jawabannya adalah C.",
    "C jelas keliru.", "Pilihan pertama terlalu lambat.", "Opsi di atas lebih cepat.",
]  # fmt: skip

PLAIN_REMARKS = [
    "A right answer needs care.", "A checkpoint is right here.", "A wrong index breaks it.",
    "It is n / B, where B is the batch size.", "LoRA trains A and B.", "C is faster than Python.",
    "In C, arrays are right.", "The options a user passes count.", "The option -b is right.",
    "Adam's beta. A job is lost.", "It's B-tree shaped.", "vitamin C benar-benar baik",
    "The answer a person gives counts.",
]  # fmt: skip


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@pytest.mark.parametrize("option", POINTING_OPTIONS)
def test_an_option_that_points_at_others_is_an_error(tmp_path, option):
    loaded = read(tmp_path, changed("c: Colours", f"c: {quoted(option)}"))
    assert places(loaded) == ["11:10 error shuffle"]
    assert "keep_order: true" in loaded.faults[0].message


@pytest.mark.parametrize("option", PLAIN_OPTIONS)
def test_an_option_that_stands_by_itself_is_fine(tmp_path, option):
    assert read(tmp_path, changed("c: Colours", f"c: {quoted(option)}")).faults == ()


@pytest.mark.parametrize("remark", POINTING_REMARKS)
def test_an_explanation_that_names_letters_or_places_is_an_error(tmp_path, remark):
    text = changed("Because they are needed.", quoted(remark))
    assert places(read(tmp_path, text)) == ["13:18 error shuffle"]


@pytest.mark.parametrize("remark", PLAIN_REMARKS)
def test_an_explanation_in_plain_words_is_fine(tmp_path, remark):
    assert read(tmp_path, changed("Because they are needed.", quoted(remark))).faults == ()


def test_a_remark_on_a_wrong_option_is_looked_at_too(tmp_path):
    assert places(read(tmp_path, changed("c: Never.", "c: B is wrong."))) == ["14:28 error shuffle"]


def test_every_language_is_looked_at(tmp_path):
    text = changed("level: medium", "level: medium\nlanguages: [id]")
    text = changed("c: Colours", "c: Semua jawaban di atas", text)
    assert places(read(tmp_path, text)) == ["12:10 error shuffle"]


@pytest.mark.parametrize("pointing", ["All of the above", "Both A and C"])
def test_a_question_that_keeps_its_order_may_point(tmp_path, pointing):
    text = changed("c: Colours", f"c: {pointing}") + "    keep_order: true\n"
    loaded = read(tmp_path, changed("Because they are needed.", "B is wrong.", text))
    assert loaded.faults == ()
    assert loaded.quizzes[0].questions[0].keep_order


def test_letters_that_the_stem_uses_as_names_are_no_options(tmp_path):
    text = changed("What is stored?", "Nodes A and B hold a copy. Which is read?")
    text = changed("c: Colours", "c: Both A and B", text)
    text = changed("Because they are needed.", "B is right behind.", text)
    assert read(tmp_path, text).faults == ()


def test_an_article_in_the_stem_names_nothing(tmp_path):
    text = changed("What is stored?", "A job stops. What is stored?")
    text = changed("Because they are needed.", "A is correct.", text)
    assert places(read(tmp_path, text)) == ["13:18 error shuffle"]
