"""Persons, places, and who manages which workspace."""

from datetime import datetime

from sqlalchemy import and_, bindparam, func, insert, or_, select, update
from sqlalchemy.sql.dml import ReturningInsert

from bot.engine.language import Language
from bot.engine.people import Address, Identity, Person, Place
from bot.store.rows import Rows, per_dialect
from bot.store.schema import claim_codes, identities, memberships, persons, places, workspaces

_PERSON = (
    select(identities.c.person_id, identities.c.id, persons.c.language)
    .join_from(identities, persons, persons.c.id == identities.c.person_id)
    .where(
        identities.c.surface == bindparam("surface"),
        identities.c.workspace == bindparam("workspace"),
        identities.c.external == bindparam("external"),
    )
)
_WORKSPACE = select(workspaces.c.id).where(
    workspaces.c.surface == bindparam("surface"),
    workspaces.c.external == bindparam("workspace"),
)
_PLACE = select(places.c.id, places.c.language, places.c.zone).where(
    places.c.workspace_id == bindparam("workspace_id"),
    places.c.external == bindparam("external"),
)
_MEMBER = select(memberships.c.name, memberships.c.is_manager).where(
    memberships.c.person_id == bindparam("person"),
    memberships.c.workspace_id == bindparam("workspace_id"),
)
_OFFER = per_dialect(
    claim_codes,
    lambda row: row.on_conflict_do_nothing(index_elements=[claim_codes.c.hash]),
)
_CLAIM = (
    update(claim_codes)
    .where(
        claim_codes.c.hash == bindparam("code"),
        or_(
            claim_codes.c.used_at.is_(None),
            and_(
                claim_codes.c.person_id == bindparam("person"),
                claim_codes.c.workspace_id == bindparam("workspace"),
            ),
        ),
    )
    .values(
        used_at=bindparam("at"),
        person_id=bindparam("person"),
        workspace_id=bindparam("workspace"),
    )
    .returning(claim_codes.c.id)
)


class PeopleRows(Rows):
    """The verbs of who is who, and where."""

    def person(self, identity: Identity) -> Person | None:
        """The person behind an identity, if they ever came."""
        row = self._connection.execute(
            _PERSON,
            {
                "surface": identity.surface,
                "workspace": identity.workspace,
                "external": identity.external,
            },
        ).one_or_none()
        if row is None:
            return None
        return Person(row.person_id, row.id, Language(row.language) if row.language else None)

    def meet(self, identity: Identity, at: datetime) -> Person:
        """The person behind an identity; a new person for one that never came before."""
        if known := self.person(identity):
            return known
        person = self._insert(insert(persons).values(created_at=at).returning(persons.c.id))
        number = self._insert(
            insert(identities)
            .values(
                surface=identity.surface,
                workspace=identity.workspace,
                external=identity.external,
                person_id=person,
            )
            .returning(identities.c.id)
        )
        return Person(person, number)

    def visit(self, address: Address) -> Place:
        """The place at an address; a new one where nobody was before."""
        workspace = self.workspace(address.surface, address.workspace)
        row = self._connection.execute(
            _PLACE, {"workspace_id": workspace, "external": address.external}
        ).one_or_none()
        if row is not None:
            language = Language(row.language) if row.language else None
            return Place(row.id, workspace, language, row.zone)
        number = self._insert(
            insert(places)
            .values(workspace_id=workspace, external=address.external)
            .returning(places.c.id)
        )
        return Place(number, workspace)

    def workspace(self, surface: str, external: str) -> int:
        """Our number of a workspace, given it on its first mention."""
        known: int | None = self._connection.execute(
            _WORKSPACE, {"surface": surface, "workspace": external}
        ).scalar_one_or_none()
        if known is not None:
            return known
        new = insert(workspaces).values(surface=surface, external=external)
        return self._insert(new.returning(workspaces.c.id))

    def speak(self, person: int, language: Language) -> None:
        """Keep the language that a person chose."""
        self._connection.execute(
            update(persons).where(persons.c.id == person).values(language=language.value)
        )

    def call(self, person: int, workspace: int, name: str) -> None:
        """Keep the name that a person goes by in a workspace."""
        row = self._member(person, workspace)
        if row is None:
            self._join(person, workspace, name=name)
        elif row[0] != name:
            self._change(person, workspace, name=name)

    def is_manager(self, person: int, workspace: int) -> bool:
        row = self._member(person, workspace)
        return row is not None and row[1]

    def appoint(self, person: int, workspace: int) -> None:
        """Make a person a manager of a workspace."""
        if self._member(person, workspace) is None:
            self._join(person, workspace, is_manager=True)
        else:
            self._change(person, workspace, is_manager=True)

    def dismiss(self, person: int, workspace: int) -> bool:
        """Take a person's management of a workspace away; False when they had none."""
        was = self.is_manager(person, workspace)
        if was:
            self._change(person, workspace, is_manager=False)
        return was

    def managers(self, workspace: int | None = None) -> tuple[tuple[Identity, str | None], ...]:
        """The managers of a workspace, or of all, by identity and name; in a fixed order."""
        query = (
            select(
                identities.c.surface,
                workspaces.c.external,
                identities.c.external,
                memberships.c.name,
            )
            .select_from(memberships)
            .join(workspaces, workspaces.c.id == memberships.c.workspace_id)
            .join(identities, identities.c.person_id == memberships.c.person_id)
            .where(
                memberships.c.is_manager,
                identities.c.surface == workspaces.c.surface,
                or_(
                    identities.c.workspace == workspaces.c.external,
                    identities.c.workspace == "",
                ),
            )
            .order_by(workspaces.c.id, identities.c.id)
        )
        if workspace is not None:
            query = query.where(workspaces.c.id == workspace)
        return tuple(
            (Identity(surface, external_workspace, external), name)
            for surface, external_workspace, external, name in self._connection.execute(query)
        )

    def offer_claim(self, code_hash: str, at: datetime) -> None:
        """Keep the hash of a claim code that may be used once."""
        self._connection.execute(_OFFER[self._dialect], {"hash": code_hash, "created_at": at})

    def claims(self, *, besides: str = "") -> int:
        """How many claim codes were ever made, without the one of the hash `besides`."""
        query = select(func.count()).where(claim_codes.c.hash != besides)
        return self._connection.execute(query).scalar_one()

    def claim(self, code_hash: str, person: int, workspace: int, at: datetime) -> bool:
        """Use a claim code; False when there is no such code or someone else used it."""
        used = self._connection.execute(
            _CLAIM, {"code": code_hash, "person": person, "workspace": workspace, "at": at}
        ).one_or_none()
        if used is None:
            return False
        self.appoint(person, workspace)
        return True

    def _member(self, person: int, workspace: int) -> tuple[str | None, bool] | None:
        row = self._connection.execute(
            _MEMBER, {"person": person, "workspace_id": workspace}
        ).one_or_none()
        return None if row is None else (row.name, row.is_manager)

    def _join(
        self, person: int, workspace: int, *, name: str | None = None, is_manager: bool = False
    ) -> None:
        self._connection.execute(
            insert(memberships).values(
                person_id=person, workspace_id=workspace, name=name, is_manager=is_manager
            )
        )

    def _change(self, person: int, workspace: int, **values: str | bool) -> None:
        self._connection.execute(
            update(memberships)
            .where(memberships.c.person_id == person, memberships.c.workspace_id == workspace)
            .values(**values)
        )

    def _insert(self, statement: ReturningInsert[int]) -> int:
        return self._connection.execute(statement).scalar_one()
