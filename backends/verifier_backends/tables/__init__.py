"""What backends over a table of a database share: rows, where the table lies, and the contract over it. No backend."""

from verifier_backends.tables.backend import TableBackend
from verifier_backends.tables.content import Database, Elsewhere, InFolder, Place
from verifier_backends.tables.rows import Condition, Found, Row, Table

__all__ = ["Condition", "Database", "Elsewhere", "Found", "InFolder", "Place", "Row", "Table", "TableBackend"]
