"""The launcher, started once, and stages for whatever surfaces a test is about."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from tests.proof.launcher import Launcher
from tests.proof.stage import Stage
from tests.proof.surfaces import Discord, RecordingSlack, SlackOverHttp, SlackOverSocket, Surface
from tests.standins.discord import DiscordStandin


@pytest.fixture(scope="session")
def launcher() -> Iterator[Launcher]:
    with Launcher() as started:
        yield started


@pytest.fixture
def on() -> str:
    """The surfaces to serve; tests parametrise it."""
    return SlackOverSocket.name


@pytest.fixture
def kind() -> str:
    """The kind of database; tests parametrise it."""
    return "sqlite"


@pytest_asyncio.fixture
async def stage(
    launcher: Launcher, on: str, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[Stage]:
    url: str = request.getfixturevalue(f"{kind}_url")
    async with AsyncExitStack() as standins:
        surfaces = [await _surface(name, standins) for name in on.split("+")]
        made = Stage(launcher, tmp_path, url, surfaces)
        yield made
        await made.close()


async def _surface(name: str, standins: AsyncExitStack) -> Surface:
    if name == Discord.name:
        return Discord(await standins.enter_async_context(DiscordStandin()))
    slack = await standins.enter_async_context(RecordingSlack())
    return SlackOverHttp(slack) if name == SlackOverHttp.name else SlackOverSocket(slack)
