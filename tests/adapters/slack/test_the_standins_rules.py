"""Each rule for a message: its breach is noted, and refused where Slack refuses it."""

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.adapters.slack.tiny_bot import button, error_of, posted
from tests.standins.slack import SlackStandin
from tests.standins.slack_rules import breaches, refusal
from tests.standins.slack_words import words_of

PLAIN = {"type": "plain_text", "text": "Hi"}
DIVIDER = {"type": "divider"}


def section(text):
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def header(text):
    return {"type": "header", "text": {"type": "plain_text", "text": text}}


def actions(*elements):
    return {"type": "actions", "elements": list(elements)}


def rich(*elements):
    return {"type": "rich_text", "elements": list(elements)}


def rich_section(*pieces):
    return {"type": "rich_text_section", "elements": list(pieces)}


def said(text, **more):
    return {"type": "text", "text": text, **more}


def listed(*items, **more):
    return {"type": "rich_text_list", "style": "ordered", "elements": list(items), **more}


def table(*rows):
    cells = [[{"type": "raw_text", "text": text} for text in row] for row in rows]
    return {"type": "table", "rows": cells}


FINE = {
    "a header": header("h" * 150),
    "a section": section("s" * 3000),
    "an entity and a link": section("a &lt; b &amp; c, <https://example.org/?a=1&b=2|source>"),
    "a date": section("<!date^1392734382^{date_short} at {time}|18 February>"),
    "fields": {"type": "section", "fields": [PLAIN]},
    "a section with a button": section("x") | {"accessory": button("A", "v")},
    "a context": {"type": "context", "elements": [PLAIN, section("x")["text"]]},
    "a button": actions(button("A" * 75, "v" * 2000, style="primary")),
    "rich text": rich(
        rich_section(said("<!channel> & <b>", style={"bold": True})),
        listed(rich_section(said("first")), indent=0, offset=0),
        {"type": "rich_text_preformatted", "elements": [said("torch.save()")], "border": 0},
        {"type": "rich_text_quote", "elements": [said("quoted")]},
        rich_section({"type": "link", "url": "https://example.org"}),
        rich_section({"type": "emoji", "name": "fire"}),
    ),
    "markdown": {"type": "markdown", "text": "**a** & <b>"},
    "an image": {"type": "image", "image_url": "https://example.org/a.png", "alt_text": "A"},
    "a table": table(["rank", "name"], ["1", "Ayu"]),
}


@pytest.mark.parametrize("block", FINE.values(), ids=FINE)
def test_a_well_formed_block_has_no_breach(block):
    assert breaches({"text": "Hi", "blocks": [block]}) == []


REFUSED = {
    "an unknown block": ({"type": "sonnet"}, "unknown block type sonnet"),
    "an unknown key": (DIVIDER | {"colour": "red"}, "unknown key colour"),
    "a long block_id": (DIVIDER | {"block_id": "b" * 256}, "256 characters, at most 255"),
    "a long header": (header("h" * 151), "151 characters, at most 150"),
    "a mrkdwn header": (header("h") | {"text": section("x")["text"]}, "not a plain_text object"),
    "an empty section": (section(""), "empty"),
    "a section of nothing": ({"type": "section"}, "not a text object"),
    "a long section": (section("s" * 3001), "3001 characters, at most 3000"),
    "eleven fields": ({"type": "section", "fields": [PLAIN] * 11}, "11 items, at most 10"),
    "emoji on mrkdwn": (
        {"type": "section", "text": {"type": "mrkdwn", "text": "x", "emoji": True}},
        "unknown key emoji",
    ),
    "eleven context elements": ({"type": "context", "elements": [PLAIN] * 11}, "at most 10"),
    "an empty context": ({"type": "context", "elements": []}, "empty"),
    "empty actions": (actions(), "empty"),
    "26 buttons": (
        actions(*(button("A", "v", action_id=str(n)) for n in range(26))),
        "26 items, at most 25",
    ),
    "a long label": (actions(button("A" * 76, "v")), "76 characters, at most 75"),
    "an empty label": (actions(button("", "v")), "empty"),
    "a mrkdwn label": (
        actions(button("A", "v", text={"type": "mrkdwn", "text": "A"})),
        "not a plain_text object",
    ),
    "a long value": (actions(button("A", "v" * 2001)), "2001 characters, at most 2000"),
    "a long action_id": (actions(button("A", "v", action_id="a" * 256)), "at most 255"),
    "an empty action_id": (actions(button("A", "v", action_id="")), "action_id: empty"),
    "one action_id twice": (actions(button("A", "v"), button("A", "w")), "stands twice"),
    "an unknown style": (actions(button("A", "v", style="default")), "primary or danger"),
    "an unknown button key": (actions(button("A", "v", icon="x")), "unknown key icon"),
    "empty rich text": (rich(), "without elements"),
    "an empty piece": (rich(rich_section(said(""))), "empty text"),
    "an unknown piece": (rich(rich_section({"type": "gif"})), "unknown rich text piece gif"),
    "an unknown element": (rich({"type": "rich_text_table"}), "unknown rich text element"),
    "an emoji in preformatted": (
        rich({"type": "rich_text_preformatted", "elements": [{"type": "emoji", "name": "x"}]}),
        "unknown rich text piece emoji",
    ),
    "a list of bare text": (rich(listed(said("x"))), "a list holds only sections"),
    "a list without style": (rich(listed(rich_section(), style="x")), "bullet or ordered"),
    "a deep list": (rich(listed(rich_section(said("x")), indent=9)), "indent is 0 to 8"),
    "an unknown text style": (
        rich(rich_section(said("x", style={"loud": True}))),
        "unknown style",
    ),
    "long markdown": ({"type": "markdown", "text": "m" * 12_001}, "at most 12000"),
    "an image without words": (
        {"type": "image", "image_url": "https://example.org/a.png"},
        "alt_text: empty",
    ),
    "101 rows": (table(*[["x"]] * 101), "101 items, at most 100"),
    "21 columns": (table(["x"] * 21), "21 items, at most 20"),
    "an unknown cell": ({"type": "table", "rows": [[{"type": "pie"}]]}, "unknown cell pie"),
}


@pytest.mark.parametrize(("block", "words"), REFUSED.values(), ids=REFUSED)
def test_a_malformed_block_is_refused(block, words):
    found = breaches({"text": "Hi", "blocks": [block]})
    assert any(words in breach.words for breach in found)
    assert refusal(found) == "invalid_blocks"


TOGETHER = {
    "51 blocks": ([DIVIDER] * 51, "51, at most 50", "invalid_blocks"),
    "one block_id twice": (
        [DIVIDER | {"block_id": "b"}] * 2,
        "block_id b stands twice",
        "invalid_blocks",
    ),
    "two tables": ([table(["x"])] * 2, "more than one table", "only_one_table_allowed"),
    "much markdown": (
        [{"type": "markdown", "text": "m" * 7000}] * 2,
        "markdown together",
        "invalid_blocks",
    ),
    "no list": ("blocks", "not a list", "invalid_blocks_format"),
}


@pytest.mark.parametrize(("blocks", "words", "error"), TOGETHER.values(), ids=TOGETHER)
def test_blocks_that_break_a_rule_together_are_refused(blocks, words, error):
    found = breaches({"text": "Hi", "blocks": blocks})
    assert [words in breach.words for breach in found] == [True]
    assert refusal(found) == error


MENTIONS = ["<@U1>", "<#C1|ml>", "<!here>", "<!channel>", "<!everyone>", "<!subteam^S1|team>"]
NOTED = {
    **{f"{it} in mrkdwn": ({"blocks": [section(f"x {it}")]}, "live mention") for it in MENTIONS},
    **{f"{it} in text": ({"text": f"x {it}"}, "live mention") for it in MENTIONS},
    "a mention in markdown": (
        {"blocks": [{"type": "markdown", "text": "<!here>"}]},
        "live mention",
    ),
    "a rich mention": (
        {"blocks": [rich(rich_section({"type": "broadcast", "range": "here"}))]},
        "live mention (broadcast",
    ),
    "< in mrkdwn": ({"blocks": [section("a < b")]}, "unescaped <"),
    "& in text": ({"text": "a & b"}, "unescaped &"),
    "a foreign entity": ({"text": "it&#39;s"}, "unescaped &"),
    "blocks without text": ({"text": "", "blocks": [DIVIDER]}, "without a text alternative"),
    "a long text": ({"text": "t" * 4001}, "4001 characters, at most 4000"),
    "attachments": ({"attachments": [{"text": "x"}]}, "attachments"),
    "live names": ({"link_names": True}, "makes every @name live"),
}


@pytest.mark.parametrize(("content", "words"), NOTED.values(), ids=NOTED)
def test_what_slack_takes_but_people_suffer_from_is_noted_and_not_refused(content, words):
    found = breaches({"text": "Hi", **content})
    assert [words in breach.words for breach in found] == [True]
    assert refusal(found) is None


def test_a_message_of_nothing_is_refused():
    assert refusal(breaches({})) == "no_text"


@pytest.mark.asyncio
async def test_the_web_api_answers_a_breach_with_its_error_and_notes_it():
    async with SlackStandin() as slack:
        client = AsyncWebClient(token=slack.bot_token, base_url=slack.api_url)
        channel = slack.channel("ml-infra")
        bad = client.chat_postMessage(**posted(channel, text="Hi", blocks=[section("")]))
        assert await error_of(bad) == "invalid_blocks"
        ts = (await client.chat_postMessage(channel=channel, text="Hi"))["ts"]
        long = client.chat_update(channel=channel, ts=ts, text="t" * 4001)
        assert await error_of(long) == "msg_too_long"
        assert slack.violations == [
            "chat.postMessage: [0].text: empty",
            "chat.postMessage: unfurl_links is not false",
            "chat.postMessage: unfurl_media is not false",
            "chat.update: text: 4001 characters, at most 4000",
        ]


def test_the_words_of_a_message_are_what_a_person_reads():
    blocks = [
        header("Daily drill"),
        section("a &lt; b, <https://example.org|source>"),
        rich(
            listed(rich_section(said("one")), rich_section(said("two")), offset=1),
            listed(rich_section(said("inner")), indent=1),
            {"type": "rich_text_preformatted", "elements": [said("x = 1\ny = 2")]},
        ),
        {"type": "context", "elements": [PLAIN]},
        table(["1", "Ayu"]),
        actions(button("A", "v")),
    ]
    assert words_of(blocks).splitlines() == [
        "Daily drill",
        "a < b, source",
        "2. one",
        "3. two",
        "a. inner",
        "x = 1",
        "y = 2",
        "Hi",
        "1 | Ayu",
    ]
