"""Claim extraction by rules: reads a response block by block and sentence by sentence into claims and skipped spans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import pairwise

from verifier.core.deadline import each
from verifier.core.text import sentence_spans, trimmed
from verifier.types import Claim, SkippedSpan
from verifier.verification.claim_checks import installed_reason, skip_check
from verifier.verification.claims.abstention import ABSTENTION, SentencePart, split_abstentions
from verifier.verification.claims.checkworthiness import (
    has_only_links,
    is_open_answer,
    is_source_title,
    list_item_skip_reason,
    lists_sources,
    skip_reason,
    states_figures,
)
from verifier.verification.claims.citations import NOT_TRUE, claims_in_marks, negating_marks, ticks_end
from verifier.verification.claims.ellipsis import LONGEST_CONTEXT, AnswerContext, asked_statement, preface_end
from verifier.verification.claims.embedded_text import read_code_block
from verifier.verification.claims.headings import (
    TitleDependence,
    TitleLevel,
    read_title,
    title_asserts,
    title_dependence,
    title_wording,
)
from verifier.verification.claims.html import blank_spans, read_html
from verifier.verification.claims.markup import (
    blank_markup,
    cell_claim,
    cell_spans,
    cell_statements,
    cell_texts,
    quote_claim,
    row_key,
    widen_to_markup,
)
from verifier.verification.claims.presupposition import (
    as_sentence,
    asserts_something,
    is_value_sentence,
    presupposed_in_that_clause,
    statement_within,
)
from verifier.verification.claims.records import (
    DataLeaf,
    asks_for_data,
    decode_json_string,
    leaf_claim,
    records_in,
    subject_of,
)
from verifier.verification.claims.responses import ExtractedResponse, extract_beside_reasoning
from verifier.verification.claims.structure import BlockKind, Outline, ResponseBlock, blocks_of
from verifier.verification.claims.typography import Typesetting, plain_typography
from verifier.verification.grammar.clauses import Replacement, SplitClause
from verifier.verification.grammar.coreference import Discourse
from verifier.verification.grammar.decomposition import decompose
from verifier.verification.grammar.fragments import Fragment, bare_words, is_verbless
from verifier.verification.grammar.mentions import (
    context_of,
    is_impersonal,
    opens_with_pronoun,
    unresolved_pronoun,
)

__all__ = ["RuleExtractor", "extract_claims"]

_NEXT_ITEM = re.compile(r"[,;]\s+(?:and|or)\s*$")
"""How an item leads over to the next one."""
_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_ASKING = ("question", "instruction")
_TITLE_MARKS = "#*_: \n"
_LONGEST_NOTED = 80
"""Code points of a sentence that a note quotes."""
_MAY_ANSWER = ("greeting", "meta", "markup")
"""Reasons to skip a sentence that, behind a question, says yes: ``Of course.``, ``You are right.``, a tick."""


def extract_claims(response: str, off: Set[str] = frozenset()) -> ExtractedResponse:
    """Take a response apart into claims and skipped spans.

    Markdown and plain text alike. Quoted text is never changed: what retrieval and signals read instead of a
    pronoun, a mark of markup or a missing introduction stands in ``Claim.substitutions``. Text that is not
    certainly something else is a claim, in whatever language; bare words (``Refunds.``) are none unless a question,
    a title or the sentence before them tells what they say.

    Args:
        response: any text.
        off: the ids of checks that are switched off (:mod:`verifier.verification.claim_checks`). What such a one would
            skip is a claim, and what it would split stays whole.

    >>> found = extract_claims("# Plans\\nThe Basic plan includes:\\n- parking\\n- a pool\\n\\nAny questions?")
    >>> [claim.hypothesis for claim in found.claims]
    ['The Basic plan includes parking', 'The Basic plan includes a pool']
    >>> [span.reason for span in found.skipped]
    ['heading', 'list introduction', 'question']
    """
    return extract_beside_reasoning(response, partial(_extract, off=off))


class RuleExtractor:
    """:func:`extract_claims` without some of its checks.

    Args:
        off: their ids.
    """

    def __init__(self, off: Set[str]) -> None:
        self._off = frozenset(off)

    @property
    def identity(self) -> str:
        """Names the rules and what they do without."""
        return f"rules without {', '.join(sorted(self._off))}"

    def __call__(self, response: str) -> ExtractedResponse:
        """Take ``response`` apart."""
        return extract_claims(response, self._off)


def _extract(response: str, *, off: Set[str]) -> ExtractedResponse:
    setting = plain_typography(response)
    if setting is None:
        return _Extraction(response, off).run()
    found = setting.restore(_Extraction(setting.folded.text, off).run())
    turned = sorted({f"U+{ord(mark):04X}" for mark in _TURNS.findall(response)})
    note = f"the response holds characters that change the writing direction ({', '.join(turned)}); they are not read"
    return replace(found, notes=(*found.notes, note)) if turned else found


class _Extraction:
    """The state of reading one response from top to bottom."""

    def __init__(self, response: str, off: Set[str]) -> None:
        self.off = off
        self.extract = partial(_extract, off=off)
        page = read_html(response)
        self.records = records_in(page.text)
        page = blank_spans(page, [(record.start, record.end) for record in self.records])
        self.original = response
        self.response = page.text
        """The response with its HTML blanked, as long as the original."""
        self.outline = Outline(page.text, blocks_of(page))
        self.blocks = self.outline.blocks
        self.claims: list[Claim] = []
        self.notes: dict[str, None] = {}
        self.row_keys: dict[int | None, str] = {}
        """What the last row of a table was about, by the table's header."""
        self.skipped: list[SkippedSpan] = []
        self.discourse = Discourse(centred=True)
        self.before_list = Discourse(centred=True)
        self.heard: dict[int, Discourse] = {}
        """What has been spoken of up to the end of an item, by its number: what goes on below it follows that."""
        self.context: tuple[str, ...] = ()
        """The sentence that is read, behind those that its pronoun points back to; see :attr:`Claim.context`."""
        self.around = AnswerContext()
        self.last_statement: dict[int, int] = {}
        """Where the last full sentence of a block begins, by the start of the block; filled on demand."""

    def run(self) -> ExtractedResponse:
        for index, block in each(enumerate(self.blocks)):
            self._read(index, block)
        if self.records:
            self._read_records()
        self._skip_uncovered()
        return ExtractedResponse(tuple(self.claims), tuple(self.skipped), tuple(self.notes))

    def _read(self, index: int, block: ResponseBlock) -> None:
        if block.kind is BlockKind.CODE:
            self._take(read_code_block(self.original, self.response, (block.start, block.end), self.extract))
        elif block.kind is BlockKind.HEADER_ROW:
            self._read_heads(block)
        elif block.kind is BlockKind.MARKUP:
            self._skip(block.start, block.end, "markup")
        elif block.kind is BlockKind.ROW:
            self._read_row(block)
        elif (level := self.outline.title_level(index)) is not None and not split_abstentions(
            self.outline.blank(block)
        ):
            self._read_title(index, block, level)
        elif block.kind is BlockKind.ITEM:
            self.discourse = self._heard_before(index, block).fork()
            self._read_sentences(index, block)
            if index - 1 not in self.outline.parents:
                self.heard.pop(index - 1, None)
            self.heard[index] = self.discourse.fork()
        else:
            self._read_sentences(index, block)
            self.before_list = self.discourse.fork()

    def _heard_before(self, index: int, block: ResponseBlock) -> Discourse:
        """What an item goes on from: what it is nested in, what leads into its list, else the item before it."""
        if block.stem in self.heard:
            return self.heard[block.stem]
        if self.before_list.subject is None and unresolved_pronoun(self.outline.first_sentence(block)):
            return self.heard.get(index - 1, self.before_list)
        return self.before_list

    def _read_title(self, index: int, block: ResponseBlock, level: int) -> None:
        """A title opens a section; one that states something is a claim as well."""
        text = " ".join(self.outline.blank(block).split())
        self.around.sections.leave(level)
        if title_asserts(text):
            self._read_sentences(index, block)
        else:
            self._skip(block.start, block.end, "heading")
        self.discourse, self.before_list, self.heard = Discourse(centred=True), Discourse(centred=True), {}
        self.around.enter_section(text)
        self.around.sections.enter(level, read_title(text))

    # -- sentences --------------------------------------------------------------------------------------

    def _read_sentences(self, index: int, block: ResponseBlock) -> None:
        self.around.enter_block()
        blank = self.outline.blank(block)
        contents = sentence_spans(blank)
        if not contents:
            if not self._read_marks(block, (0, block.end - block.start)):
                self._skip(block.start, block.end, "markup")
            return
        outer = widen_to_markup(self.response[block.start : block.end], contents)
        for number, (content, span) in each(enumerate(zip(contents, outer, strict=True))):
            text = blank[slice(*content)]
            last = number == len(contents) - 1
            if last and self._only_introduces(index, text):
                self._skip(block.start + span[0], block.start + span[1], "list introduction")
                continue
            if not last and self.outline.is_inner_title(block, content, contents[number + 1]):
                self._skip(block.start + span[0], block.start + span[1], "heading")
                self.around.sections.enter(TitleLevel.INNER, read_title(text))
                continue
            lead = "" if number else self._lead(block, text)
            self.context = context_of(text, self.context if number else ())
            self._read_sentence(block, content, span, lead)
        self.around.sections.leave(TitleLevel.INNER)

    def _lead(self, block: ResponseBlock, text: str) -> str:
        """What introduces the first sentence of an item."""
        titled = bool(self.around.sections.scope(text, TitleDependence.LABEL))
        return self.outline.lead_for(block, text, titled=titled)

    def _only_introduces(self, index: int, text: str) -> bool:
        """Whether a sentence leads into a list or table: its items say it again, or it says nothing by itself."""
        if index in self.outline.introductions:
            return True
        return self.outline.only_introduces(index) and is_verbless(text) and not states_figures(text)

    def _read_sentence(
        self, block: ResponseBlock, content: tuple[int, int], span: tuple[int, int], lead: str
    ) -> None:
        """Read one sentence: its words are ``content``, with the markup around them ``span``, in the block."""
        text = self.outline.blank(block)[slice(*content)]
        pieces = split_abstentions(text) if self._is_on(ABSTENTION) else []
        if pieces and not presupposed_in_that_clause(text):
            self._read_pieces(block, content, span, pieces)
            return
        reason = list_item_skip_reason(text) if lead else skip_reason(text)
        if self.around.signs(text):
            reason = "greeting"
        elif not lead and has_only_links(self.outline.source(block)[slice(*span)]):
            reason = "url only"
        elif lists_sources(text, titled=is_source_title(lead or self.around.title)):
            reason = "meta"
        elif reason is None:
            reason = installed_reason(text)
        ticks = ticks_end(text)
        base = content[0] + ticks + preface_end(text[ticks:])
        within = None if lead else statement_within(text, reason)
        if within is not None:
            reason, base = None, content[0] + within.start
        elif reason in _MAY_ANSWER and self.around.stated(text):
            reason = None
        fragment = (
            None if lead or reason or within else bare_words(self.outline.blank(block)[base : content[1]])
        )
        if is_open_answer(text) or (fragment and not self._completed(block, content, fragment)):
            reason = "fragment"
        if reason is not None and self._is_on(reason):
            if not self._read_marks(block, span):
                self._skip(block.start + span[0], block.start + span[1], reason)
            self._hear(text, reason)
            return
        sentence = self.outline.blank(block)[base : content[1]]
        clauses = self._clauses(sentence)
        if within is not None:
            clauses = [as_sentence(sentence, within.end - within.start)]
        elif turning := negating_marks(sentence):
            clauses = [
                SplitClause(0, 0, len(sentence), edits=((0, 0, NOT_TRUE), *((*mark, "") for mark in turning)))
            ]
        splits = tuple(dict.fromkeys(clause.check for clause in clauses if clause.check))
        start, first = span[0], len(self.claims)
        subjects: set[str] = set()
        for number, clause in enumerate(clauses):
            end = span[1] if number == len(clauses) - 1 else base + clause.end
            self._add_claim(block, (start, end), base, clause, lead, fragment)
            if splits:
                self.claims[-1] = replace(self.claims[-1], splits=splits)
            subjects.add(self.discourse.subject.text if self.discourse.subject else "")
            start, lead = end, ""
            while start < span[1] and self.response[block.start + start].isspace():
                start += 1
        self._read_marks(block, span)
        self.discourse.end_sentence(text, subjects=len(subjects))
        self.around.claim(text, [claim.hypothesis for claim in self.claims[first:]], fragment)
        if reason is not None:
            self._hear(text, reason)

    def _hear(self, text: str, reason: str) -> None:
        """Note what a sentence that is no claim tells of the sentences behind it."""
        self.around.skip(text, reason)
        if reason == "question":
            self.discourse.ask(text, asked_statement(text))

    def _is_on(self, reason: str) -> bool:
        """Whether what is skipped for that reason is to be."""
        return skip_check(reason) not in self.off

    def _read_pieces(
        self,
        block: ResponseBlock,
        content: tuple[int, int],
        span: tuple[int, int],
        pieces: Sequence[SentencePart],
    ) -> None:
        """Read a sentence that says, somewhere in it, that something is not told."""
        for number, piece in enumerate(pieces):
            words = content[0] + piece.start, content[0] + piece.end
            start = words[0] if number else span[0]
            end = span[1] if number == len(pieces) - 1 else words[1]
            if piece.abstention is None:
                self._read_sentence(block, words, (start, end), "")
                continue
            topic = piece.abstention.topic
            if resolved := self.discourse.resolve(topic):
                topic = topic[: resolved[0]] + resolved[2] + topic[resolved[1] :]
            self._skip(block.start + start, block.start + end, ABSTENTION, topic)
            self.around.skip(self.outline.blank(block)[slice(*words)], ABSTENTION)

    def _read_marks(self, block: ResponseBlock, span: tuple[int, int]) -> bool:
        """Add what the marks of sources and the addresses in a sentence say beside their names; whether they do."""
        stretch = block.start + span[0], block.start + span[1]
        said = claims_in_marks(self.original, stretch, self.claims)
        self.claims += said
        return bool(said)

    def _completed(self, block: ResponseBlock, content: tuple[int, int], fragment: Fragment) -> bool:
        """Whether something around bare words makes an assertion of them."""
        blank = self.outline.blank(block)
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

    def _clauses(self, sentence: str) -> list[SplitClause]:
        """Split a sentence; a clause whose pronoun would lose its referent stays with the one before."""
        clauses: list[SplitClause] = []
        discourse = self.discourse.fork()
        lost = False
        for clause in decompose(sentence, self.off):
            words = sentence[clause.content : clause.end]
            pointing = not clause.subject and opens_with_pronoun(words) and not is_impersonal(words)
            lost = bool(clauses) and (
                not discourse.resolve(words) if pointing else lost and bool(clause.subject)
            )
            if lost:
                clauses[-1] = replace(clauses[-1], end=clause.end)
            else:
                clauses.append(clause)
            discourse.follow(clauses[-1].read(sentence))
        return clauses

    def _add_claim(
        self,
        block: ResponseBlock,
        span: tuple[int, int],
        base: int,
        clause: SplitClause,
        lead: str,
        fragment: Fragment | None,
    ) -> None:
        """Add one clause of the sentence at ``base``: ``span`` is what it quotes, both in the block."""
        blank, offset = self.outline.blank(block), block.start
        words = base + clause.content
        text = blank[words : span[1]]
        subject = self._shared_subject(clause, text)
        if not (lead or subject) and (stated := self._stated(text)):
            start, end = offset + span[0], offset + span[1]
            self.claims.append(quote_claim(self.original, blank, offset, start, end, [(start, end, stated)]))
            return
        scoped = clause.subject.endswith(",")
        resolved = self.discourse.resolve(text) if not lead and (not subject or scoped) else None
        opening = lead or subject or ("" if resolved else self.around.context(text, fragment))
        scope = self._scope(lead or subject, opening, text, resolved)
        opening, at, put_in = (
            title_wording(scope + opening, text) if fragment is None else (scope + opening, 0, "")
        )
        edits: list[Replacement] = [
            (offset + base + start, offset + base + end, new) for start, end, new in clause.edits
        ]
        if opening or span[0] < words:
            edits.append((offset + span[0], offset + words, opening))
        if put_in:
            edits.append((offset + words + at, offset + words + at, put_in))
        if resolved:
            edits.append((offset + words + resolved[0], offset + words + resolved[1], resolved[2]))
        if lead and (joint := _NEXT_ITEM.search(text)):
            edits.append((offset + words + joint.start(), offset + words + joint.end(), "."))
        mark = offset + words + len(text.rstrip()) - 1
        if self.response[mark] in ",;" and not any(end > mark for _, end, _ in edits):
            edits.append((mark, mark + 1, "."))
        claim = quote_claim(self.original, blank, offset, offset + span[0], offset + span[1], edits)
        if resolved and self.discourse.doubt:
            self._note_doubt(text, self.discourse.doubt)
        pointing = unresolved_pronoun(text) if not (opening or resolved or put_in) else ""
        context = () if lead or fragment else self.context
        self.claims.append(replace(claim, unresolved=pointing, context=context))
        if not lead and not put_in:
            self.discourse.follow(claim.hypothesis[len(scope) :][:LONGEST_CONTEXT])

    def _note_doubt(self, text: str, meant: str) -> None:
        """Say of what a pronoun is read that could stand for something else as well."""
        told = " ".join(text.split())[:_LONGEST_NOTED]
        self.notes[f"“{told}” is read as a statement about “{meant}”, the subject of the sentence before"] = (
            None
        )

    def _scope(self, lead: str, opening: str, text: str, resolved: Replacement | None) -> str:
        """The titles that a claim rests on; what stands before it may have completed it already."""
        if opening and not lead:
            return ""
        start, end, new = resolved or (0, 0, "")
        reading = f"{lead}{text[:start]}{new}{text[end:]}"
        return self.around.sections.scope(reading, title_dependence(reading), named_only=lead.endswith(": "))

    def _stated(self, text: str) -> str | None:
        """The statement that a bare yes or no makes; ``None`` also where it tells of a person whom nothing names.

        What a document allows to all says little of someone whom only the prompt knows.
        """
        stated = self.around.stated(text)
        if stated and (resolved := self.discourse.resolve(stated)):
            return stated[: resolved[0]] + resolved[2] + stated[resolved[1] :]
        return None if stated and stated.startswith(("He ", "She ")) else stated

    def _shared_subject(self, clause: SplitClause, text: str) -> str:
        """The subject that a clause takes from the one before, as what a pronoun there stands for."""
        if not clause.subject:
            return ""
        resolved = self.discourse.resolve(f"{clause.subject} {text}")
        if resolved is None or resolved[1] > len(clause.subject):
            return clause.subject + " "
        return clause.subject[: resolved[0]] + resolved[2] + clause.subject[resolved[1] :] + " "

    # -- data -------------------------------------------------------------------------------------------

    def _read_records(self) -> None:
        """Read what is given as data; of data in a fence that was not asked for, the sentences."""
        asked = " ".join(span.text for span in self.skipped if span.reason in _ASKING)
        told = bool(self.claims) and not asks_for_data(asked)
        for record in self.records:
            example = record.fenced and told
            subject = subject_of(asked) or self._titled(record.start)
            read = [leaf for leaf in record.leaves if not example or is_value_sentence(leaf.value)]
            if example and not read:
                self._skip(record.start, record.end, "code")
            for leaf in read:
                self._read_leaf(leaf, subject)
        self.claims.sort(key=lambda claim: (claim.start, claim.end))
        self.skipped.sort(key=lambda span: span.start)

    def _read_leaf(self, leaf: DataLeaf, subject: str) -> None:
        """A value that is a sentence or more is read as such; another with its keys."""
        written = self.original[leaf.at : leaf.end]
        if not (leaf.quoted and is_value_sentence(leaf.value) and written.startswith('"')):
            self._take([leaf_claim(self.original, leaf, subject)])
            return
        folded = decode_json_string(written, leaf.at)
        found = Typesetting(self.original, folded).restore(self.extract(folded.text))
        self.claims += found.claims
        self.skipped += found.skipped

    def _titled(self, at: int) -> str:
        """The heading above a place, where it names something."""
        above = [span.text for span in self.skipped if span.reason == "heading" and span.end <= at]
        title = read_title(above[-1].strip(_TITLE_MARKS)) if above else None
        return title.text if title is not None and title.names else ""

    # -- table rows -------------------------------------------------------------------------------------

    def _read_row(self, block: ResponseBlock) -> None:
        """One claim for each cell behind the first, which names what the row is about."""
        row = self.response[block.start : block.end]
        above = self.row_keys.get(block.header, "") if block.header is not None else ""
        self.row_keys = {block.header: row_key(row, above)}
        cells = list(cell_statements(row, self._headers(block), self.row_keys[block.header]))
        for cell in cells:
            scope = self.around.sections.scope(cell.reading, TitleDependence.LABEL, named_only=True)
            before, at, put_in = title_wording(scope, cell.reading)
            reading = f"{before}{cell.reading[:at]}{put_in}{cell.reading[at:]}"
            cell = cell._replace(reading=reading)
            self.claims.append(cell_claim(self.original, self.response, block.start, cell))
        if not cells:
            self._skip(block.start, block.end, "markup")

    def _read_heads(self, block: ResponseBlock) -> None:
        """The heads of a table's columns say what stands below them; one that is a sentence is a claim."""
        row, at = self.response[block.start : block.end], block.start
        for first, last in cell_spans(row):
            blank = blank_markup(row[first:last], listed=False)
            if asserts_something(" ".join(blank.split())):
                start, end = block.start + first, block.start + last
                self._skip_between(at, start)
                self.claims.append(quote_claim(self.original, blank, start, start, end, []))
                at = end
        self._skip_between(at, block.end)

    def _skip_between(self, start: int, end: int) -> None:
        start, end = trimmed(self.original, start, end)
        if start < end:
            self._skip(start, end, "table header")

    def _headers(self, block: ResponseBlock) -> list[str]:
        if block.header is None:
            return []
        header = self.blocks[block.header]
        return cell_texts(self.response[header.start : header.end])

    def _take(self, pieces: Iterable[Claim | SkippedSpan]) -> None:
        for piece in pieces:
            if isinstance(piece, Claim):
                self.claims.append(piece)
            elif self._is_on(piece.reason) or not any(map(str.isalnum, piece.text)):
                self.skipped.append(piece)
            else:
                self.claims.append(self._as_it_stands(piece))

    def _as_it_stands(self, piece: SkippedSpan) -> Claim:
        """What is not skipped, since the check is switched off: a claim in its own words, without its markup."""
        blank = blank_markup(self.response[piece.start : piece.end], listed=True)
        return quote_claim(self.original, blank, piece.start, piece.start, piece.end, [])

    def _skip(self, start: int, end: int, reason: str, topic: str = "") -> None:
        self._take([SkippedSpan(self.original[start:end], start, end, reason, topic)])

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
