"""A response goes in; its claims and skipped spans come out: blocks, then sentences, clauses, context."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from verifier.core.text import sentence_spans
from verifier.types import Claim, SkippedSpan
from verifier.verification.claims.answers import asked_statement, opening_end
from verifier.verification.claims.clauses import Clause
from verifier.verification.claims.fragments import Fragment, bare_words
from verifier.verification.claims.html import read_html
from verifier.verification.claims.lists import is_fragment, joins, lead_in
from verifier.verification.claims.markup import blank_markup
from verifier.verification.claims.quotes import Edit, quote_claim
from verifier.verification.claims.reference import Discourse
from verifier.verification.claims.speech import MARKS, quoted, speakers
from verifier.verification.claims.statements import statements_of
from verifier.verification.claims.structure import Block, Kind, blocks_of
from verifier.verification.claims.surroundings import LONGEST_CONTEXT, Surroundings
from verifier.verification.claims.tables import cell_spans, cell_value
from verifier.verification.claims.types import ExtractedResponse
from verifier.verification.claims.typography import set_plainly
from verifier.verification.claims.verbs import AUXILIARIES, SUBJECT_PRONOUNS, tokens_of
from verifier.verification.claims.worth import preamble_end, skip_reason, states_figures

__all__ = ["extract_claims"]

_BOLD_LINE = re.compile(r"(\*\*|__)[^*_\n]+\1:?")
_UNDERLINED = re.compile(r"[^\n]+\n[ \t]*=+")
_TITLE_TOPIC = re.compile(r",? and (?:how|why|what|when|where)\b.*$", re.IGNORECASE)
_NEXT_ITEM = re.compile(r"[,;]\s+(?:and|or)\s*$")
"""How an item leads over to the next one."""
_LEAVES_OPEN = re.compile(
    r"(?:perhaps|maybe|possibly|(?:it|that)(?: all)? depends(?: (?:up)?on [^.,;:\d]{1,40})?)[.!…]*",
    re.IGNORECASE,
)
"""Answers that say nothing: what the question asks must not be put down to them."""
_WH = re.compile(r"(?:how|what|when|where|why|who|which)\b", re.IGNORECASE)
_POINTING = (SUBJECT_PRONOUNS | {"its", "their", "his", "her"}) - {"there", "you", "we", "i"}
_SKIPPED_KINDS = {Kind.CODE: "code", Kind.MARKUP: "markup", Kind.HEADER_ROW: "table header"}


def extract_claims(response: str) -> ExtractedResponse:
    """Take a response apart into claims and skipped spans.

    Markdown and plain text alike. Quoted text is never changed: what retrieval and signals read instead of a
    pronoun, a mark of markup or a missing introduction stands in ``Claim.substitutions``. Text that is not
    certainly something else is a claim, in whatever language; bare words (``Refunds.``) are none unless a question,
    a title or the sentence before them tells what they say.

    >>> found = extract_claims("# Plans\\nThe Basic plan includes:\\n- parking\\n- a pool\\n\\nAny questions?")
    >>> [claim.hypothesis for claim in found.claims]
    ['The Basic plan includes parking', 'The Basic plan includes a pool']
    >>> [span.reason for span in found.skipped]
    ['heading', 'list introduction', 'question']
    """
    setting = set_plainly(response)
    if setting is None:
        return _Extraction(response).run()
    return setting.restore(_Extraction(setting.folded.text).run())


class _Extraction:
    """The state of reading one response from top to bottom."""

    def __init__(self, response: str) -> None:
        page = read_html(response)
        self.original = response
        self.response = page.text
        """The response with its HTML blanked, as long as the original."""
        self.blocks: list[Block] = blocks_of(page)
        self.blanked: dict[int, str] = {}
        self.claims: list[Claim] = []
        self.skipped: list[SkippedSpan] = []
        self.discourse = Discourse()
        self.before_list = Discourse()
        self.around = Surroundings()
        self.last_statement: dict[int, int] = {}
        """Where the last full sentence of a block begins, by the start of the block; filled on demand."""
        self.joined_stems: set[int] = set()

    def run(self) -> ExtractedResponse:
        for block in self.blocks:
            if block.stem is not None and joins(self._stem(block.stem), self._first_sentence(block)):
                self.joined_stems.add(block.stem)
        for index, block in enumerate(self.blocks):
            self._read(index, block)
        self._skip_uncovered()
        return ExtractedResponse(tuple(self.claims), tuple(self.skipped))

    def _read(self, index: int, block: Block) -> None:
        if block.kind in _SKIPPED_KINDS:
            self._skip(block.start, block.end, _SKIPPED_KINDS[block.kind])
        elif block.kind is Kind.ROW:
            self._read_row(block)
        elif self._is_heading(index, block):
            self.discourse = Discourse()
            self.around.enter_section(" ".join(self._blank(block).split()))
            self._skip(block.start, block.end, "heading")
        else:
            if block.kind is Kind.ITEM:
                self.discourse = self.before_list.fork()
            self._read_sentences(index, block)
            if block.kind is not Kind.ITEM:
                self.before_list = self.discourse.fork()

    # -- text of blocks ---------------------------------------------------------------------------------

    def _blank(self, block: Block) -> str:
        if block.start not in self.blanked:
            listed = block.kind in (Kind.ITEM, Kind.HEADING)
            self.blanked[block.start] = blank_markup(self.response[block.start : block.end], listed=listed)
        return self.blanked[block.start]

    def _first_sentence(self, block: Block) -> str:
        blank = self._blank(block)
        start, end = next(iter(sentence_spans(blank[:2000])), (0, 0))
        return blank[start:end]

    def _stem(self, index: int) -> str:
        """The last sentence of a block that introduces a list."""
        blank = self._blank(self.blocks[index])[-2000:]
        start, end = sentence_spans(blank)[-1]
        return " ".join(blank[start:end].split())[-LONGEST_CONTEXT:]

    def _lead_in(self, block: Block) -> str:
        """Everything that introduces an item, outermost list first."""
        if block.stem is None:
            return ""
        above = self.blocks[block.stem]
        outer = self._lead_in(above) if is_fragment(self._stem(block.stem)) else ""
        return (outer + lead_in(self._stem(block.stem)))[-LONGEST_CONTEXT:]

    def _is_heading(self, index: int, block: Block) -> bool:
        """Whether a block is a title; a sentence written as one is still a claim."""
        source = self.response[block.start : block.end]
        ruled = index + 1 < len(self.blocks) and self.blocks[index + 1].kind is Kind.MARKUP
        below = self.response[block.end : self.blocks[index + 1].end] if ruled else ""
        underlined = _UNDERLINED.fullmatch(source) or re.fullmatch(r"\r?\n[ \t]*-{3,}", below.rstrip(" \t"))
        titled = block.kind is Kind.HEADING or _BOLD_LINE.fullmatch(source.strip()) or underlined
        if not titled or (index in self.joined_stems and block.kind is not Kind.HEADING):
            return False
        text = " ".join(self._blank(block).split())
        stopped = text.endswith(".") and bare_words(text) is None
        if block.kind is not Kind.HEADING and (len(text) > 80 or stopped or states_figures(text)):
            return False
        return not _asserts(text)

    # -- sentences --------------------------------------------------------------------------------------

    def _read_sentences(self, index: int, block: Block) -> None:
        self.around.enter_block()
        blank = self._blank(block)
        contents = sentence_spans(blank)
        if not contents:
            self._skip(block.start, block.end, "markup")
            return
        outer = _with_markup(self.response[block.start : block.end], contents)
        saying = speakers(blank, contents) if any(mark in blank for mark in MARKS) else {}
        for number, (content, span) in enumerate(zip(contents, outer, strict=True)):
            text = blank[slice(*content)]
            last = number == len(contents) - 1
            if last and self._only_introduces(index, text):
                self._skip(block.start + span[0], block.start + span[1], "list introduction")
                continue
            lead = self._lead_in(block) if number == 0 and block.stem in self.joined_stems else ""
            if lead and block.stem is not None and not joins(self._stem(block.stem), text):
                lead = ""
            self._read_sentence(block, content, span, lead, "" if lead else saying.get(number, ""))

    def _only_introduces(self, index: int, text: str) -> bool:
        """Whether a sentence leads into a list or table: its items say it again, or it says nothing by itself."""
        if index in self.joined_stems:
            return True
        below = self.blocks[index + 1 : index + 2]
        introduces = any(block.stem == index or block.kind is Kind.HEADER_ROW for block in below)
        return introduces and is_fragment(text) and not states_figures(text)

    def _read_sentence(
        self, block: Block, content: tuple[int, int], span: tuple[int, int], lead: str, speaker: str
    ) -> None:
        """Read one sentence: its words are ``content``, with the markup around them ``span``, in the block."""
        text = self._blank(block)[slice(*content)]
        lead = f"{speaker} said: " if speaker else lead
        reason = _completed_reason(text) if lead else skip_reason(text)
        base = content[0] + (preamble_end(text) or opening_end(text))
        fragment = None if lead or reason else bare_words(self._blank(block)[base : content[1]])
        leaves_open = _LEAVES_OPEN.fullmatch(text.strip()) is not None
        if leaves_open or (fragment and not self._completed(block, content, fragment)):
            reason = "fragment"
        if reason is not None:
            self._skip(block.start + span[0], block.start + span[1], reason)
            self.around.skip(text, reason)
            if reason == "question":
                self.discourse.ask(text, asked_statement(text))
            return
        sentence = self._blank(block)[base : content[1]]
        clauses = [quoted(sentence)] if speaker else self._clauses(sentence)
        start, first = span[0], len(self.claims)
        subjects: set[str] = set()
        for number, clause in enumerate(clauses):
            end = span[1] if number == len(clauses) - 1 else base + clause.end
            self._add_claim(block, (start, end), base, clause, lead, fragment)
            subjects.add(self.discourse.subject.text if self.discourse.subject else "")
            start, lead = end, ""
            while start < span[1] and self.response[block.start + start].isspace():
                start += 1
        self.discourse.end_sentence(text, subjects=len(subjects))
        self.around.claim(text, [claim.hypothesis for claim in self.claims[first:]], fragment)

    def _completed(self, block: Block, content: tuple[int, int], fragment: Fragment) -> bool:
        """Whether something around bare words makes an assertion of them."""
        blank = self._blank(block)
        if self.around.context(blank[slice(*content)], fragment):
            return True
        if fragment is Fragment.NAMING:
            return False
        if block.start not in self.last_statement:
            starts = (
                start
                for start, end in reversed(sentence_spans(blank))
                if skip_reason(blank[start:end]) is None and bare_words(blank[start:end]) is None
            )
            self.last_statement[block.start] = next(starts, -1)
        return self.last_statement[block.start] > content[0]

    def _clauses(self, sentence: str) -> list[Clause]:
        """Split a sentence; a clause whose pronoun would lose its referent stays with the one before."""
        clauses: list[Clause] = []
        discourse = self.discourse.fork()
        for clause in statements_of(sentence):
            words = sentence[clause.content : clause.end]
            if clauses and not clause.subject and _opens_with_pronoun(words) and not discourse.resolve(words):
                clauses[-1] = replace(clauses[-1], end=clause.end)
            else:
                clauses.append(clause)
            discourse.follow(clauses[-1].read(sentence))
        return clauses

    def _add_claim(
        self,
        block: Block,
        span: tuple[int, int],
        base: int,
        clause: Clause,
        lead: str,
        fragment: Fragment | None,
    ) -> None:
        """Add one clause of the sentence at ``base``: ``span`` is what it quotes, both in the block."""
        blank, offset = self._blank(block), block.start
        words = base + clause.content
        text = blank[words : span[1]]
        subject = self._shared_subject(clause, text)
        if not (lead or subject) and (stated := self._stated(text)):
            start, end = offset + span[0], offset + span[1]
            self.claims.append(quote_claim(self.original, blank, offset, start, end, [(start, end, stated)]))
            return
        resolved = None if lead or subject else self.discourse.resolve(text)
        opening = lead or subject or ("" if resolved else self.around.context(text, fragment))
        edits: list[Edit] = [
            (offset + base + start, offset + base + end, new) for start, end, new in clause.edits
        ]
        if opening or span[0] < words:
            edits.append((offset + span[0], offset + words, opening))
        if resolved:
            edits.append((offset + words + resolved[0], offset + words + resolved[1], resolved[2]))
        if lead and (joint := _NEXT_ITEM.search(text)):
            edits.append((offset + words + joint.start(), offset + words + joint.end(), "."))
        mark = offset + words + len(text.rstrip()) - 1
        if self.response[mark] in ",;" and not any(end > mark for _, end, _ in edits):
            edits.append((mark, mark + 1, "."))
        claim = quote_claim(self.original, blank, offset, offset + span[0], offset + span[1], edits)
        self.claims.append(claim)
        if not lead:
            self.discourse.follow(claim.hypothesis[:LONGEST_CONTEXT])

    def _stated(self, text: str) -> str | None:
        """The statement that a bare yes or no makes; ``None`` also where it tells of a person whom nothing names.

        What a document allows to all says little of someone whom only the prompt knows.
        """
        stated = self.around.stated(text)
        if stated and (resolved := self.discourse.resolve(stated)):
            return stated[: resolved[0]] + resolved[2] + stated[resolved[1] :]
        return None if stated and stated.startswith(("He ", "She ")) else stated

    def _shared_subject(self, clause: Clause, text: str) -> str:
        """The subject that a clause takes from the one before, as what a pronoun there stands for."""
        if not clause.subject:
            return ""
        resolved = self.discourse.resolve(f"{clause.subject} {text}")
        if resolved is None or resolved[1] > len(clause.subject):
            return clause.subject + " "
        return clause.subject[: resolved[0]] + resolved[2] + clause.subject[resolved[1] :] + " "

    # -- table rows -------------------------------------------------------------------------------------

    def _read_row(self, block: Block) -> None:
        """One claim for each cell behind the first, which names what the row is about."""
        row = self.response[block.start : block.end]
        cells = cell_spans(row)
        values = [
            cell_value(" ".join(blank_markup(row[slice(*cell)], listed=False).split())) for cell in cells
        ]
        headers = self._headers(block)
        filled = [number for number, value in enumerate(values) if value]
        if not filled:
            self._skip(block.start, block.end, "markup")
            return
        key = values[filled[0]]
        start = 0
        for position in filled[1:] or filled:
            end = len(row) if position == filled[-1] else cells[position][1]
            column = headers[position] if position < len(headers) else ""
            text = f"{column}: {values[position]}" if column else values[position]
            whole = text if len(filled) == 1 else f"{key}, {text}"
            self._add_cell(
                block.start + start,
                block.start + end,
                block.start + cells[position][0],
                whole,
                values[position],
            )
            start = end + len(row[end:]) - len(row[end:].lstrip())

    def _add_cell(self, start: int, end: int, cell: int, reading: str, value: str) -> None:
        """Quote the row up to its cell, whose own words stay where they are, so that findings map back."""
        quoted = self.response[cell:end]
        if quoted.startswith(value) and reading.endswith(value):
            edits: list[Edit] = [(start, cell, reading[: len(reading) - len(value)])]
            if cell + len(value) < end:
                edits.append((cell + len(value), end, ""))
        else:
            edits = [(start, end, reading)]
        blank = self.original[start:end]
        self.claims.append(quote_claim(self.original, blank, start, start, end, edits))

    def _headers(self, block: Block) -> list[str]:
        if block.header is None:
            return []
        header = self.blocks[block.header]
        row = self.response[header.start : header.end]
        return [" ".join(blank_markup(row[slice(*cell)], listed=False).split()) for cell in cell_spans(row)]

    def _skip(self, start: int, end: int, reason: str) -> None:
        self.skipped.append(SkippedSpan(self.original[start:end], start, end, reason))

    def _skip_uncovered(self) -> None:
        """Skip as markup what lies between claims and skipped spans: the tags that end them."""
        if self.original == self.response:
            return
        spans = sorted([(c.start, c.end) for c in self.claims] + [(s.start, s.end) for s in self.skipped])
        bounds = [(0, 0), *spans, (len(self.original), len(self.original))]
        for (_, left), (right, _) in pairwise(bounds):
            gap = self.original[left:right]
            if tags := gap.strip():
                start = left + gap.index(tags)
                self._skip(start, start + len(tags), "markup")
        self.skipped.sort(key=lambda span: span.start)


def _with_markup(source: str, contents: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Widen sentence spans so that all markup between them belongs to one: closing marks to the left one."""
    spans = [list(content) for content in contents]
    spans[0][0] = 0
    spans[-1][1] = len(source)
    for left, right in pairwise(spans):
        gap = source[left[1] : right[0]]
        closing = next((at for at, mark in enumerate(gap) if mark.isspace()), len(gap))
        rest = gap[closing:]
        left[1] += closing
        right[0] -= len(rest.lstrip())
    return [(start, end) for start, end in spans]


def _opens_with_pronoun(text: str) -> bool:
    tokens = tokens_of(text[:40])
    return bool(tokens) and tokens[0][2].split("'")[0] in _POINTING


def _completed_reason(text: str) -> str | None:
    """Why an item that its introduction makes a sentence of is still no claim."""
    reason = skip_reason(text)
    return reason if reason in ("markup", "question", "url only") else None


def _asserts(text: str) -> bool:
    """Whether a title is a sentence: a finite verb outside of what reads like ``How refunds work``."""
    text = _TITLE_TOPIC.sub("", text)
    tokens = tokens_of(text)
    if len(tokens) < 3 or _WH.match(text) or text.endswith("?"):
        return False
    return any(form in AUXILIARIES for _, _, form in tokens[1:]) or (
        states_figures(text) and not is_fragment(text)
    )
