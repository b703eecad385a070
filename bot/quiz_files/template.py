"""A new quiz file: complete in both languages, with comments that teach the format."""

from bot.quiz_files.values import QUESTION_ID

_NUMBER = len("-00")


def template(name: str) -> str:
    """The text of a file for the quiz `name`; it loads as it stands, without a warning."""
    prefix = name[: QUESTION_ID - _NUMBER].rstrip("-")
    return _TEXT.replace("NAME", prefix)


_TEXT = """\
# yaml-language-server: $schema=quiz.schema.json
# The file's name is the quiz's id. `check` says what is wrong, with line and column.
title:
  en: The quiz's title in English
  id: Judul kuis dalam bahasa Indonesia
kind: topic            # guide | topic
level: medium          # easy | medium | hard; a question may have its own
languages: [en, id]    # with one language, write texts without `en:` and `id:`
description:
  en: What the quiz practises, in a sentence or two.
  id: Yang dilatih kuis ini, dalam satu atau dua kalimat.
# reading:             # what to read before; shown on the first screen
#   - {title: The guide, url: https://example.org/guide}
# next: another-quiz   # the quiz to take after this one
authors: [The team]
licence: CC-BY-4.0

questions:
  # id, stem, options and key are enough; all else makes the question better.
  - id: NAME-01        # never change it: answers are kept under it
    level: easy
    tags: [first-topic]
    stem:
      en: What is asked?
      id: Apa yang ditanyakan?
    options:           # 2 to 8 of them, a to h; shown in another order to each person
      a: {en: The right option, id: Opsi yang benar}
      b: {en: A wrong one that sounds right, id: Opsi salah yang terdengar benar}
      c: {en: A common mistake, id: Kesalahan yang umum}
      d: {en: Something half true, id: Sesuatu yang setengah benar}
    key: a             # the letter of the right option
    explanation:       # shown after every answer
      en: Why the key is right, in two or three sentences.
      id: Mengapa kuncinya benar, dalam dua atau tiga kalimat.
    why_wrong:         # shown to whoever chose that option
      b: {en: What it overlooks., id: Yang terlewat di situ.}
      c: {en: Why people think so., id: Mengapa orang mengira begitu.}
      d: {en: Which half is false., id: Bagian mana yang keliru.}
    sources:
      - {title: Where it can be read up, url: https://example.org/docs}

  - id: NAME-02
    level: hard
    tags: [second-topic]
    # Long texts stand after `>-`; code goes in `backticks`. Quote a text that begins with a
    # backtick or a bracket, or that holds a colon and a space. Numbers and `no` stay as typed.
    stem:
      en: >-
        A job writes 4 GiB in 2 s. How fast does it write, going by `bytes / seconds`?
      id: >-
        Sebuah job menulis 4 GiB dalam 2 detik. Berapa kecepatannya menurut `bytes / seconds`?
    keep_order: true   # numbers are read best in their order, and so is "all of the above"
    options:
      a: {en: 0.5 GiB/s, id: "0,5 GiB/s"}
      b: {en: 2 GiB/s, id: 2 GiB/s}
      c: {en: 8 GiB/s, id: 8 GiB/s}
    key: b
    explanation:
      en: 4 GiB divided by 2 s is 2 GiB/s.
      id: 4 GiB dibagi 2 detik sama dengan 2 GiB/s.
    why_wrong:
      a: {en: This divides the other way round., id: Ini membagi dengan arah terbalik.}
      c: {en: This multiplies instead of dividing., id: "Ini mengalikan, bukan membagi."}
    sources:
      - {title: Where it can be read up, url: https://example.org/docs}
    # enemies: [NAME-01]           # questions that would give this one away
    # applies_to: ["torch>=2.6"]   # the versions for which it holds
    # verified: {on: 2026-12-01, by: arithmetic, with: Python 3.13}   # or document, observation
    # review_by: 2027-12-01        # warns from then on
    # status: draft                # draft | review | live | retired; only live ones are asked
"""
