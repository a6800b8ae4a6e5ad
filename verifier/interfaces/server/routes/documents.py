"""The knowledge base: documents added, uploaded, listed, shown and deleted, each in its namespace."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Query, UploadFile
from pydantic import Field

from verifier.core.errors import IngestError
from verifier.interfaces.server.problems import Problem
from verifier.interfaces.server.routes.common import ERRORS, Caller, Checker, Writer
from verifier.interfaces.server.schemas import DocumentRequest, Name
from verifier.interfaces.server.uploads import read_upload, shown_name
from verifier.knowledge.records import DocumentRecord, IngestSummary
from verifier.types import Document

__all__ = ["router"]

router = APIRouter(prefix="/v1/documents", tags=["documents"], responses=ERRORS)

DocumentId = Annotated[str, Field(pattern=r"^[0-9a-zA-Z_-]{1,128}$")]


@router.post("", status_code=201)
async def add(body: DocumentRequest, caller: Writer) -> dict[str, Any]:
    """Store a text. When this answers, it is on disk; what was stored under the same source is replaced."""
    document = Document(
        body.source, f"api:{body.source}", body.text, body.media_type, metadata=dict(body.metadata)
    )
    return await _stored([document], caller.namespace(body.namespace), caller, len(body.text))


@router.post("/upload", status_code=201)
async def upload(
    caller: Writer,
    file: Annotated[UploadFile, File(description="text, Markdown, HTML, PDF, DOCX, CSV, TSV or JSONL")],
    namespace: Annotated[Name | None, Form()] = None,
) -> dict[str, Any]:
    """Store a file. It is read in a process of its own, within bounds of time and memory."""
    entered = caller.namespace(namespace)
    name = shown_name(file.filename)
    content = await file.read()
    own = caller.engine.settings.server
    documents = await caller.engine.do(
        lambda: read_upload(content, name, seconds=own.upload_seconds, memory=own.upload_memory),
        weight=len(content),
    )
    return await _stored(documents, entered, caller, sum(len(one.text) for one in documents))


@router.get("")
async def listed(
    caller: Checker,
    namespace: Annotated[Name | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    offset: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
) -> dict[str, Any]:
    """The documents of a namespace, without their texts."""
    entered = caller.namespace(namespace)
    records = await caller.engine.do(lambda: caller.engine.store.documents(entered))
    page = records[offset : offset + limit]
    return {"total": len(records), "documents": [_shown(record) for record in page]}


@router.get("/{doc_id}")
async def shown(doc_id: DocumentId, caller: Checker) -> dict[str, Any]:
    """One document with its text."""
    engine = caller.engine
    record = await engine.do(lambda: _found(caller, doc_id))
    return {**_shown(record), "text": await engine.do(lambda: engine.store.document_text(doc_id))}


@router.delete("/{doc_id}")
async def delete(doc_id: DocumentId, caller: Writer) -> dict[str, Any]:
    """Remove a document. From then on no search shows it."""

    def remove() -> int:
        record = _found(caller, doc_id)
        return caller.engine.store.delete(doc_id, record.namespace)

    return {"deleted": await caller.engine.write(remove)}


async def _stored(documents: list[Document], namespace: str, caller: Caller, weight: int) -> dict[str, Any]:
    engine = caller.engine
    summary: IngestSummary = await engine.write(
        lambda: engine.store.ingest(documents, namespace=namespace), weight=weight
    )
    if summary.failed:
        raise IngestError("; ".join(f"{source}: {reason}" for source, reason in summary.failed[:3]))
    found = await engine.do(lambda: [engine.store.resolve(one.source, namespace) for one in documents])
    return {"documents": [_shown(record) for record in found if record is not None]}


def _found(caller: Caller, doc_id: str) -> DocumentRecord:
    """The document, if the caller may know of it: one in another's namespace is as absent as none."""
    record = caller.engine.store.document(doc_id)
    if record is None or not caller.owner.may_enter(record.namespace):
        raise Problem(404, "not_found", "there is no such document")
    return record


def _shown(record: DocumentRecord) -> dict[str, Any]:
    values = asdict(record)
    values["sources"] = [source["source"] for source in values["sources"]]
    return values
