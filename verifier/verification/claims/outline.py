"""The blocks of a response go in; which are titles, and what leads into each item, come out."""

from __future__ import annotations

from verifier.core.text import COLONS, sentence_spans
from verifier.verification.claims.lists import is_fragment, joins, lead_in, presented
from verifier.verification.claims.markup import blank_markup
from verifier.verification.claims.sections import (
    Lean,
    Level,
    is_empty_title,
    is_labelled,
    label_of,
    lean,
    read_title,
)
from verifier.verification.claims.structure import Block, Kind
from verifier.verification.claims.surroundings import LONGEST_CONTEXT
from verifier.verification.claims.titles import (
    asserts,
    is_bold,
    is_label,
    is_line_title,
    may_be_bold_title,
    rank,
    under,
)

__all__ = ["Outline"]

_LONGEST_READ = 2000
"""Code points at the head and at the end of a block in which its first and its last sentence are looked for."""


class Outline:
    """How the blocks of one response belong together.

    Args:
        response: the text that the blocks are of.
        blocks: in order.
    """

    def __init__(self, response: str, blocks: list[Block]) -> None:
        self.response, self.blocks = response, blocks
        self._blanked: dict[int, str] = {}
        self._stems: dict[int, str] = {}
        self.parents = {block.stem for block in blocks}
        """The blocks that lead into others."""
        self.introductions = {
            block.stem
            for block in blocks
            if block.stem is not None and self._joins(block.stem, self.first_sentence(block))
        }
        """Those of them that say nothing but what the others say in full."""

    def blank(self, block: Block) -> str:
        """The text of a block with its markup blanked."""
        if block.start not in self._blanked:
            listed = block.kind in (Kind.ITEM, Kind.HEADING)
            self._blanked[block.start] = blank_markup(self.source(block), listed=listed)
        return self._blanked[block.start]

    def source(self, block: Block) -> str:
        """The text of a block as it is written."""
        return self.response[block.start : block.end]

    def first_sentence(self, block: Block) -> str:
        """The sentence that a block begins with."""
        blank = self.blank(block)
        start, end = next(iter(sentence_spans(blank[:_LONGEST_READ])), (0, 0))
        return blank[start:end]

    def only_introduces(self, index: int) -> bool:
        """Whether a block leads into a list or table and stands right above it."""
        below = self.blocks[index + 1 : index + 2]
        return any(block.stem == index or block.kind is Kind.HEADER_ROW for block in below)

    def lead_for(self, block: Block, text: str, *, titled: bool) -> str:
        """What introduces the first sentence of an item, where that needs it.

        Args:
            block: the item.
            text: the sentence.
            titled: whether the titles above complete it in any case.
        """
        if block.stem is None:
            return ""
        if self._joins(block.stem, text):
            return "" if self._is_empty(block.stem, text, titled) else self._lead_in(block)
        stated = not self._stem(block.stem).endswith(COLONS)
        return self._lead_in(block) if stated and lean(text) is Lean.LABEL else ""

    def title_level(self, index: int) -> int | None:
        """The level of a block that is a title; a statement in bold type is none."""
        block, source = self.blocks[index], self.source(self.blocks[index])
        if block.kind is Kind.HEADING:
            return rank(source)
        following = self.blocks[index + 1] if index + 1 < len(self.blocks) else None
        text = " ".join(self.blank(block).split())
        if block.kind is Kind.ITEM:
            return Level.BOLD if following and self._heads(block, following, text) else None
        if index in self.introductions:
            return None
        ruled = following is not None and following.kind is Kind.MARKUP
        underlined = under(source, self.response[block.end : following.end] if ruled and following else "")
        if is_bold(source) or underlined:
            titled = may_be_bold_title(text) and not asserts(text)
            return (1 if underlined else Level.BOLD) if titled else None
        if following is None or following.kind is not Kind.PROSE or not text.endswith(COLONS):
            return None
        return Level.LINE if is_line_title(text, source, self.first_sentence(following)) else None

    def is_inner_title(self, block: Block, content: tuple[int, int], below: tuple[int, int]) -> bool:
        """Whether a line of a paragraph is the title of the next one; both are spans in the block."""
        blank, source = self.blank(block), self.source(block)
        if "\n" not in source[content[1] : below[0]]:
            return False
        begin = source.rfind("\n", 0, content[0]) + 1
        line = source[begin : source.find("\n", content[1])]
        return is_line_title(blank[slice(*content)], line, blank[slice(*below)])

    def _stem(self, index: int) -> str:
        """The last sentence of a block that introduces a list; empty where it is markup alone."""
        if index not in self._stems:
            blank = self.blank(self.blocks[index])[-_LONGEST_READ:]
            start, end = next(reversed(sentence_spans(blank)), (0, 0))
            self._stems[index] = " ".join(blank[start:end].split())[-LONGEST_CONTEXT:]
        return self._stems[index]

    def _joins(self, stem: int, item: str) -> bool:
        """Whether the block above an item says nothing but what its items say in full."""
        above = self._stem(stem)
        if above.endswith(COLONS):
            return joins(above, item) or (lean(item) is Lean.SUBJECT and _named_by(above) is not None)
        return is_label(above) and lean(item) is not None

    def _lead_in(self, block: Block) -> str:
        """Everything that introduces an item, outermost list first."""
        if block.stem is None:
            return ""
        above, stem = self.blocks[block.stem], self._stem(block.stem)
        outer = self._lead_in(above) if is_fragment(stem) else ""
        if stem.endswith(COLONS):
            name = _named_by(presented(stem))
            own = lead_in(presented(stem)) if name is None else f"{name}: "
        else:
            label = stem if is_label(stem) else label_of(stem)
            own = f"{label}: " if label else ""
        return (outer + own)[-LONGEST_CONTEXT:] if own else ""

    def _is_empty(self, stem: int, item: str, titled: bool) -> bool:
        """Whether an introduction says nothing (``Key facts:``), and an item says of what it is one without it."""
        above = presented(self._stem(stem))
        return is_empty_title(above) and is_fragment(above) and (titled or is_labelled(item))

    def _heads(self, block: Block, following: Block, text: str) -> bool:
        """Whether an item is the title of what stands below its list, or of a list of another kind."""
        source, below = self.source(block), self.response[following.start : following.start + 1]
        numbered = source[:1].isdigit() or source[:1] == "("
        if following.kind is Kind.ITEM:
            apart = numbered and not (below.isdigit() or below == "(") and following.stem is None
        else:
            apart = is_bold(source) and following.kind is Kind.PROSE
        return apart and is_line_title(text, source, self.first_sentence(following))


def _named_by(stem: str) -> str | None:
    """The thing that an introduction without a verb names; ``None`` where it names none."""
    title = read_title(stem) if is_fragment(stem) else None
    return title.text if title is not None and title.names else None
