"""The PostgreSQL database under a knowledge base: its transactions, its locks, and claims of work."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier.core.database_url import without_password
from verifier.core.errors import KnowledgeBaseError, KnowledgeBaseLocked, KnowledgeBaseNotFound
from verifier.knowledge.index import Index, described
from verifier.knowledge.postgres.connection import PostgresConnection
from verifier.knowledge.postgres.faults import plain_errors
from verifier.knowledge.postgres.index import StoredIndex
from verifier.knowledge.postgres.pool import Pool
from verifier.knowledge.postgres.schema import SCHEMA, SCHEMA_VERSION, check_schema, migrate, schema_version

__all__ = ["Claim", "PostgresDatabase"]

_TURN_SECONDS = 60
"""How long a transaction waits for its turn: those before it store a batch each."""

_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

_LOCK = int.from_bytes(b"RVK1")
"""The number of the advisory lock of writers."""

_FOUNDING, _SAVING = int.from_bytes(b"RVK2"), int.from_bytes(b"RVK3")
"""The numbers of the advisory locks of who makes the first index, and of who saves one."""

_QUEUED = """
    INSERT INTO waiting (name, revision, passage_id) SELECT i.name, c.revision, c.passage_id
    FROM indexes i CROSS JOIN (
        SELECT revision, passage_id FROM passages WHERE revision > %(after)s
        UNION SELECT revision, passage_id FROM tombstones WHERE revision > %(after)s
    ) c WHERE i.divided ON CONFLICT DO NOTHING
"""

_CLAIMED = """
    SELECT revision, passage_id FROM waiting WHERE name = %s AND revision <= %s
    ORDER BY revision, passage_id LIMIT %s FOR UPDATE SKIP LOCKED
"""

_KNOWN = "DELETE FROM waiting WHERE name = ? AND revision = ? AND passage_id = ?"


@dataclass(frozen=True)
class Claim:
    """Passages that this process brings into an index while no other one does."""

    connection: PostgresConnection
    """In the transaction of the claim; it sees what is committed at each statement."""

    passage_ids: Sequence[str]


class PostgresDatabase:
    """One knowledge base in the schema ``verifier`` of a database, shared by any number of processes and machines.

    Readers see a snapshot and never wait; transactions that write take turns.

    Args:
        url: the address. Its password is in no message.
        create: whether ``open`` makes what is missing.
        busy_seconds: how long to wait for a lock of the whole knowledge base.

    Raises (every method that reaches the server):
        KnowledgeBaseUnavailable: the server cannot be reached for five seconds, or broke off.
        MissingExtra: psycopg is not installed.
    """

    directory: Path | None = None
    in_memory = False
    schema_version = SCHEMA_VERSION

    def __init__(self, url: str, *, create: bool = False, busy_seconds: float) -> None:
        self.place = without_password(url)
        self.read_only = False
        self._pool = Pool(url)
        self._create, self._busy_seconds = create, busy_seconds
        self._opened = self._closed = False
        self._opening = threading.Lock()

    def is_to_be_made(self) -> bool:
        """Whether ``open`` would make a knowledge base where there is none."""
        if not self._create or self._opened:
            return False
        with self._plain_errors(), closing(self._pool.connect()) as raw:
            return schema_version(raw) == 0

    def open(self) -> None:
        """Reach the server, make the tables if asked to, and bring them up to date. Does nothing when open.

        Raises:
            KnowledgeBaseNotFound: there is no knowledge base, and ``create`` is false.
            KnowledgeBaseMismatch: a newer release wrote it.
        """
        if self._closed:
            raise KnowledgeBaseError("the knowledge base is closed")
        if self._opened:
            return
        with self._opening, self._plain_errors(), closing(self._pool.connect()) as raw:
            version = check_schema(raw, self.place, SCHEMA_VERSION)
            if version == 0 and not self._create:
                raise KnowledgeBaseNotFound(
                    f"no knowledge base at {self.place}; make one with: verifier ingest PATH --kb {self.place}"
                )
            if version:
                self.read_only = not _may_write(raw)
            if version < SCHEMA_VERSION:
                self._refuse_read_only()
                migrate(raw, self.place)
            self._opened = True

    def close(self) -> None:
        """Close every connection, for good."""
        self._closed = True
        self._pool.close()

    @contextmanager
    def read(self) -> Iterator[PostgresConnection]:
        """A connection that sees one state of the database, whatever is written meanwhile."""
        self.open()
        with self._plain_errors(), self._pool.transaction(_READ) as raw:
            yield PostgresConnection(raw)

    @contextmanager
    def write(self) -> Iterator[PostgresConnection]:
        """A connection in a transaction: committed at the end of the block, rolled back on any exception.

        What it changes is put before the indexes that processes keep up to date together.

        Raises:
            KnowledgeBaseLocked: the transactions before it did not end in a minute.
            KnowledgeBaseError: the knowledge base cannot be written to.
        """
        self.open()
        self._refuse_read_only()
        with self._plain_errors(), self._pool.transaction("BEGIN") as raw:
            raw.execute(f"SET LOCAL lock_timeout = '{_TURN_SECONDS}s'")
            before = raw.execute("SELECT value FROM properties WHERE name = 'revision' FOR UPDATE").fetchone()
            yield PostgresConnection(raw)
            raw.execute(_QUEUED, {"after": int(before[0])})

    @contextmanager
    def store(self) -> Iterator[PostgresConnection]:
        """A connection in a transaction that takes no turn, for what no search sees yet or any more."""
        with self._plain_errors(), self._pool.transaction("BEGIN") as raw:
            yield PostgresConnection(raw)

    @contextmanager
    def exclusive(self, *, wait: bool = True, alone: bool = True) -> Iterator[None]:
        """The right to write to the knowledge base in many transactions: alone, or together with others.

        It goes with the connection, so that the server frees it when a process dies.

        Raises:
            KnowledgeBaseLocked: others have it, and do so after ``busy_seconds`` (if ``wait``).
            KnowledgeBaseError: the knowledge base cannot be written to.
        """
        self.open()
        self._refuse_read_only()
        with self._locked(_LOCK, self._busy_seconds if wait else 0.0, "" if alone else "_shared"):
            yield

    @contextmanager
    def founding(self) -> Iterator[None]:
        """The right to make the first index, for which others wait."""
        with self._locked(_FOUNDING, _TURN_SECONDS, ""):
            yield

    @contextmanager
    def saving(self) -> Iterator[None]:
        """The right to save an index, for which others wait."""
        with self._locked(_SAVING, _TURN_SECONDS, ""):
            yield

    @contextmanager
    def _locked(self, number: int, seconds: float, kind: str) -> Iterator[None]:
        with self._plain_errors():
            raw = self._pool.connect()
        with closing(raw):
            with self._plain_errors():
                if not seconds:
                    taken = raw.execute(f"SELECT pg_try_advisory_lock{kind}(%s)", [number]).fetchone()[0]
                    if not taken:
                        raise KnowledgeBaseLocked(f"another process is writing to {self.place}")
                else:
                    raw.execute(f"SET lock_timeout = {round(1000 * seconds)}")
                    raw.execute(f"SELECT pg_advisory_lock{kind}(%s)", [number])
            yield

    @contextmanager
    def claim(self, name: str, until: int, limit: int) -> Iterator[Claim]:
        """Some passages that the index ``name`` does not know yet, for which no other process has a claim.

        At the end of the block they count as known; on any exception, and where the process dies, they wait again.

        Args:
            name: the fingerprint of the index.
            until: of which revision at most.
            limit: how many at most.
        """
        with self._plain_errors(), self._pool.transaction("BEGIN") as raw:
            rows = raw.execute(_CLAIMED, [name, until, limit]).fetchall()
            connection = PostgresConnection(raw)
            yield Claim(connection, list(dict.fromkeys(passage for _, passage in rows)))
            connection.executemany(_KNOWN, [(name, *row) for row in rows])

    def known(self, name: str, revision: int, passage_id: str) -> None:
        """The index ``name`` has that passage already."""
        with self.store() as connection:
            connection.execute(_KNOWN, (name, revision, passage_id))

    def waiting(self, name: str, until: int) -> int:
        """How many passages the index ``name`` does not know yet, claimed ones among them."""
        with self.read() as connection:
            found = connection.execute(
                "SELECT count(*) FROM waiting WHERE name = ? AND revision <= ?", (name, until)
            )
            return int(found.fetchone()[0])

    def index(self, name: str) -> Index:
        """The index of that fingerprint."""
        return StoredIndex(self, name)

    def indexes(self) -> list[Index]:
        """Every index, by fingerprint."""
        with self.read() as connection:
            rows = connection.execute("SELECT DISTINCT name FROM generations ORDER BY name").fetchall()
        return [StoredIndex(self, name) for (name,) in rows]

    def refuse_other(self, name: str) -> None:
        """Nothing, where the index in use is of that fingerprint, or none is.

        Raises:
            KnowledgeBaseError: it is of another backend or encoder.
        """
        with self.read() as connection:
            rows = connection.execute(
                "SELECT i.name, g.stamp FROM indexes i JOIN generations g ON g.id = i.generation"
            ).fetchall()
        if rows and name not in dict(rows):
            used = described(json.loads(rows[0][1])["identity"])
            raise KnowledgeBaseError(
                f"{self.place} is indexed by {used}, and this configuration is of another backend, encoder or option: "
                "take that one, or change over, for all who use it, with: "
                f"verifier kb reindex --kb {self.place}"
            )

    def size(self) -> int:
        """Bytes of the tables, what the backend keeps beside them included."""
        with self.read() as connection:
            found = connection.execute(
                "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c"
                " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'r'",
                (SCHEMA,),
            )
            return int(found.fetchone()[0])

    def vacuum(self) -> None:
        """The server frees by itself what nothing uses any more."""

    def _refuse_read_only(self) -> None:
        if self.read_only:
            raise KnowledgeBaseError(
                f"this user may only read {self.place}; let it be written to by a user who may, or grant the right"
            )

    @contextmanager
    def _plain_errors(self) -> Iterator[None]:
        with plain_errors(self._pool.url):
            yield


def _may_write(raw: Any) -> bool:
    """Whether this user may, and this server is no copy that follows another."""
    found = raw.execute(
        "SELECT has_table_privilege('properties', 'UPDATE') AND NOT pg_is_in_recovery()"
    ).fetchone()
    return bool(found[0])
