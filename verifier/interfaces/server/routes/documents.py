"""The knowledge base: documents added, uploaded, listed, shown and deleted, each in its namespace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Query, UploadFile
from pydantic import Field
from starlette.responses import Response

from verifier.core.errors import IngestError
from verifier.interfaces.server.problems import Problem
from verifier.interfaces.server.routes.common import ERRORS, Caller, Checker, Writer, rendered
from verifier.interfaces.server.schemas import DocumentRequest
from verifier.interfaces.server.texts import Name
from verifier.interfaces.server.uploads import read_upload, shown_name, uri_of
from verifier.knowledge.records import DocumentRecord, content_hash, document_id
from verifier.types import Document

__all__ = ["router"]

router = APIRouter(prefix="/v1/documents", tags=["documents"], responses=ERRORS)

MOST_SHOWN = 100
"""Documents of one upload that its answer shows."""

DocumentId = Annotated[str, Field(pattern=r"^[0-9a-zA-Z_-]{1,128}$")]


@router.post("", status_code=201)
async def add(body: DocumentRequest, caller: Writer) -> dict[str, Any]:
    """Store a text. When this answers, it is on disk; what was stored under the same source is replaced."""
    document = Document(
        body.source, uri_of(body.source), body.text, body.media_type, metadata=dict(body.metadata)
    )
    return await _stored([document], caller.namespace(body.namespace), caller)


@router.post("/upload", status_code=201)
async def upload(
    caller: Writer,
    file: Annotated[UploadFile, File(description="text, Markdown, HTML, PDF, DOCX, CSV, TSV or JSONL")],
    namespace: Annotated[Name | None, Form()] = None,
) -> dict[str, Any]:
    """Store a file, one document for each row of a table. What it is read by is bounded in time and memory.

    When this answers, all of it is on disk; what was stored under the same name is replaced. The first documents are
    shown, and `total` says how many there are.
    """
    entered = caller.namespace(namespace)
    documents = await _read(file, caller)
    # Rows that a former table of that name had more than this one go.
    return await _stored(documents, entered, caller, prune_under=[uri_of(shown_name(file.filename))])


@router.post("/read")
async def read(
    caller: Checker,
    file: Annotated[UploadFile, File(description="as for `/v1/documents/upload`")],
) -> Response:
    """The texts of a file, one for each row of a table, and nothing is stored: a draft, or what to check it against.

    The documents are what `source` of `/v1/verify` takes. They may have no more bytes than a JSON body.
    """
    documents, most = await _read(file, caller), caller.engine.settings.server.max_body
    size = sum(len(document.text.encode("utf-8", "replace")) for document in documents)
    if size > most:
        raise Problem(413, "too_large", f"the file holds {size} bytes of text, and a request at most {most}")
    return await rendered(lambda: {"documents": [_given(document) for document in documents]})


@router.get("")
async def listed(
    caller: Checker,
    namespace: Annotated[Name | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    offset: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
) -> dict[str, Any]:
    """The documents of a namespace, without their texts."""
    entered = caller.namespace(namespace)
    total, records = await caller.engine.do(
        lambda: caller.engine.store.document_page(entered, limit=limit, offset=offset)
    )
    return {"total": total, "documents": [_shown(record) for record in records]}


@router.get("/{doc_id}")
async def shown(doc_id: DocumentId, caller: Checker) -> dict[str, Any]:
    """One document with its text."""

    def read() -> dict[str, Any]:
        record = _found(caller, doc_id)
        text = caller.engine.store.document_text(doc_id)
        if text is None:  # deleted since
            raise _ABSENT
        return {**_shown(record), "text": text}

    return await caller.engine.do(read)


@router.delete("/{doc_id}")
async def delete(doc_id: DocumentId, caller: Writer) -> dict[str, Any]:
    """Remove a document. From then on no search shows it."""

    def remove() -> int:
        record = _found(caller, doc_id)
        return caller.engine.store.delete(doc_id, record.namespace)

    return {"deleted": await caller.engine.write(remove)}


async def _read(file: UploadFile, caller: Caller) -> list[Document]:
    """The documents of an uploaded file."""
    name, content = shown_name(file.filename), await file.read()
    own = caller.engine.settings.server
    return await caller.engine.read(
        lambda: read_upload(
            content, name, seconds=own.upload_seconds, memory=own.upload_memory, most=4 * own.max_upload
        ),
        weight=len(content),
    )


def _given(document: Document) -> dict[str, Any]:
    """A document as a request gives it."""
    return {
        "source": document.source[-200:],  # the end tells the row of a table
        "text": document.text,
        "media_type": document.media_type,
        "title": document.title,
        "pages": [asdict(page) for page in document.pages],
        "metadata": dict(document.metadata),
    }


async def _stored(
    documents: list[Document], namespace: str, caller: Caller, prune_under: Sequence[str] = ()
) -> dict[str, Any]:
    engine = caller.engine
    summary = await engine.store_documents(documents, namespace, prune_under)
    if summary.failed:
        reasons = "; ".join(f"{source}: {reason}" for source, reason in summary.failed[:3])
        stored = len(documents) - len(summary.failed)
        raise IngestError(f"{reasons} ({len(summary.failed)} not stored, {stored} stored)")

    def records() -> list[dict[str, Any]]:
        ids = (document_id(namespace, content_hash(one)) for one in documents[:MOST_SHOWN])
        found = (engine.store.document(doc_id) for doc_id in dict.fromkeys(ids))
        return [_shown(record) for record in found if record is not None]

    return {"total": len(documents), "documents": await engine.do(records)}


def _found(caller: Caller, doc_id: str) -> DocumentRecord:
    """The document, if the caller may know of it: one in another's namespace is as absent as none."""
    record = caller.engine.store.document(doc_id)
    if record is None or not caller.asking.owner.may_enter(record.namespace):
        raise _ABSENT
    return record


_ABSENT = Problem(404, "not_found", "there is no such document")


def _shown(record: DocumentRecord) -> dict[str, Any]:
    values = asdict(record)
    values["sources"] = list(dict.fromkeys(source["source"] for source in values["sources"]))
    return values
