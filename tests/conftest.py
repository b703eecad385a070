"""What tests share: both databases, a clock and dice that obey, and a small quiz."""

import os
import shutil
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from hypothesis import settings

from bot.engine.language import Language
from bot.phrases import Phrasebook
from bot.service import Catalog, Kit, Service
from bot.store import Store
from tests.quizzes import small_quizzes
from tests.standins.postgres import Postgres
from tests.world import Clock, CountingDice

settings.register_profile("quick", max_examples=25, stateful_step_count=30, deadline=None)
settings.register_profile("full", max_examples=400, stateful_step_count=60, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# Programs that tests start take Ctrl-C, even where what runs the tests does not.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A real Postgres of our own."""
    cluster = Postgres.start()
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy."""
    file = tmp_path_factory.mktemp("sqlite") / "template.db"
    Store.open(f"sqlite:///{file}").close()
    return file


@pytest.fixture(scope="session")
def postgres_template(postgres: Postgres) -> str:
    """A migrated Postgres database to copy."""
    url = postgres.database()
    Store.open(url).close()
    return url


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A fresh, empty database of either kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'latih.db'}"
        return
    cluster: Postgres = request.getfixturevalue("postgres")
    url = cluster.database()
    yield url
    cluster.drop(url)


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """A migrated SQLite database."""
    file = tmp_path / "latih.db"
    shutil.copy(sqlite_template, file)
    return f"sqlite:///{file}"


@pytest.fixture
def postgres_url(postgres: Postgres, postgres_template: str) -> Iterator[str]:
    """A migrated Postgres database."""
    url = postgres.database(postgres_template)
    yield url
    postgres.drop(url)


@pytest.fixture(params=["sqlite", "postgres"])
def migrated_url(request: pytest.FixtureRequest) -> str:
    """A migrated database of either kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def dice() -> CountingDice:
    return CountingDice()


@pytest_asyncio.fixture
async def store(migrated_url: str) -> AsyncIterator[Store]:
    """A store on either database."""
    opened = Store.open(migrated_url)
    yield opened
    opened.close()


@pytest_asyncio.fixture
async def sqlite_store(sqlite_url: str) -> AsyncIterator[Store]:
    """A store on SQLite, for what does not depend on the database."""
    opened = Store.open(sqlite_url)
    yield opened
    opened.close()


@pytest.fixture
def kit(sqlite_store: Store, dice: CountingDice) -> Kit:
    """The service's parts with two small quizzes, on SQLite."""
    return kit_on(sqlite_store, dice)


@pytest_asyncio.fixture
async def service(kit: Kit, clock: Clock) -> Service:
    made = Service(kit)
    await made.open(clock.now())
    return made


@pytest_asyncio.fixture
async def either_service(store: Store, dice: CountingDice, clock: Clock) -> Service:
    """The service on either database."""
    made = Service(kit_on(store, dice))
    await made.open(clock.now())
    return made


def kit_on(store: Store, dice: CountingDice) -> Kit:
    return Kit(
        store=store,
        catalog=Catalog(small_quizzes()),
        phrasebook=Phrasebook(),
        dice=dice,
        language=Language.EN,
        zone="Asia/Jakarta",
    )
