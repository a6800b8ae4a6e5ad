"""Data in a response (JSON, YAML, ``key: value`` lines): one claim a value, read as a sentence on its subject.

``{"built": 1872}``, asked for as *Facts on the Orby lighthouse*, says that the Orby lighthouse was built in 1872.
Lenient: a model's JSON may lack its end or have a comma too many. What is no such text at all gives nothing, and is
read as prose.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from verifier_signals.lexicon import verb_of
from verifier_signals.values import parse
from verifier_signals.values.units import is_money, lookup

from verifier.core.lexicon import lexicon
from verifier.core.text import Folded, trimmed
from verifier.types import Claim, SkippedSpan, Substitution
from verifier.verification.claims.abstention import ABSTENTION, is_null_value
from verifier.verification.claims.ellipsis import asked_statement
from verifier.verification.claims.html import closed_fences
from verifier.verification.claims.presupposition import is_value_sentence
from verifier.verification.grammar.coreference import Discourse

__all__ = [
    "DataLeaf",
    "DataRecord",
    "asks_for_data",
    "decode_json_string",
    "leaf_claim",
    "records_in",
    "subject_of",
]


# -- values ----------------------------------------------------------------------------------------------------


class DataLeaf(NamedTuple):
    """``text[start:end]`` is a key with its value, ``text[at:end]`` the value as written, ``value`` what it says.

    ``path`` are the keys that lead to it, outermost first; ``quoted`` says that it is a text, ``name`` what the object
    that holds it is called by its own ``name`` or ``title``.
    """

    path: tuple[str, ...]
    start: int
    at: int
    end: int
    value: str
    quoted: bool = False
    name: str = ""


_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_CHARACTER = re.compile(
    r"(?:\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\])", re.DOTALL
)
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|None|True|False")
_SPACE = re.compile(r"[\s,]*")
_YAML_LINE = re.compile(
    r"(?P<indent>[ ]*)(?P<dash>(?:-[ ]+)*)"
    r"(?:(?P<key>[\w][\w .()/-]{0,59}?|\"[^\"\n]{1,60}\")[ ]?:(?:[ ]+|$))?(?P<value>[^\n]*)"
)
_PAIR = re.compile(
    r"\s*(?P<key>[^\W\d_][\w '’/()-]{0,39}?)\s?:\s+(?P<value>[^:;|\n]{1,80}(?::\d\d[^:;|\n]{0,20})?)\s*"
)
_NAMES = ("name", "title", "label", "item")
_DEEPEST = 20
_CLAUSE = re.compile(r"\b(?:is|are|was|were|has|have|had|will|can|must|may|does|do)\b", re.IGNORECASE)


class _Broken(Exception):
    """The text is not of this form."""


def _json_leaves(text: str, start: int) -> tuple[list[DataLeaf], int]:
    """The leaves of the JSON value that begins at ``start``, and where it ends; none where it is no object or list.

    >>> leaves, end = _json_leaves('{"built": 1872, "lamp": {"range_nm": 18}}', 0)
    >>> [(leaf.path, leaf.value) for leaf in leaves], end
    ([(('built',), '1872'), (('lamp', 'range_nm'), '18')], 41)
    """
    reader = _Json(text)
    try:
        end = reader.value(start, (), start, "", 0)
    except (_Broken, IndexError):
        return [], start
    return reader.leaves, end


class _Json:
    def __init__(self, text: str) -> None:
        self.text = text
        self.leaves: list[DataLeaf] = []

    def value(self, at: int, path: tuple[str, ...], key_at: int, name: str, depth: int) -> int:
        """Read the value at ``at``; where it ends."""
        if depth > _DEEPEST:
            raise _Broken
        if self.text.startswith("{", at):
            return self._object(at, path, name, depth)
        if self.text.startswith("[", at):
            return self._list(at, path, name, depth)
        match = _STRING.match(self.text, at) or _SCALAR.match(self.text, at)
        if match is None:
            raise _Broken
        quoted = match[0].startswith('"')
        said = _decoded(match[0]) if quoted else match[0]
        self.leaves.append(DataLeaf(path, key_at, match.start(), match.end(), said, quoted, name))
        return match.end()

    def _object(self, at: int, path: tuple[str, ...], name: str, depth: int) -> int:
        first = len(self.leaves)
        at = self._space(at + 1)
        while at < len(self.text) and self.text[at] != "}":
            key = _STRING.match(self.text, at)
            if key is None:
                raise _Broken
            colon = self._space(key.end())
            if not self.text.startswith(":", colon):
                raise _Broken
            at = self.value(self._space(colon + 1), (*path, _decoded(key[0])), key.start(), name, depth + 1)
            at = self._space(at)
        own = next(
            (
                leaf.value
                for leaf in self.leaves[first:]
                if leaf.quoted and len(leaf.path) == len(path) + 1 and leaf.path[-1].lower() in _NAMES
            ),
            "",
        )
        if own:
            self.leaves[first:] = [
                leaf if leaf.name else leaf._replace(name=own) for leaf in self.leaves[first:]
            ]
        return min(at + 1, len(self.text))

    def _list(self, at: int, path: tuple[str, ...], name: str, depth: int) -> int:
        at = self._space(at + 1)
        while at < len(self.text) and self.text[at] != "]":
            at = self._space(self.value(at, path, at, name, depth + 1))
        return min(at + 1, len(self.text))

    def _space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at


def decode_json_string(written: str, at: int) -> Folded:
    """A string of JSON, with its quotation marks, at ``at`` of a text: what it says, and where each sign stands."""
    pieces = [(match[0], match.start()) for match in _CHARACTER.finditer(written, 1, len(written) - 1)]
    text = [_decoded(f'"{piece}"') if piece.startswith("\\") else piece for piece, _ in pieces]
    starts = [at + start for (_, start), said in zip(pieces, text, strict=True) for _ in said]
    ends = [at + start + len(piece) for (piece, start), said in zip(pieces, text, strict=True) for _ in said]
    return Folded("".join(text), tuple(starts), tuple(ends))


def _decoded(written: str) -> str:
    try:
        return str(json.loads(written))
    except ValueError:
        return written[1:-1]


def _yaml_leaves(text: str, start: int, end: int) -> list[DataLeaf]:
    """The leaves of plain YAML, ``key: value`` lines with indents and lists; none where a line is something else.

    >>> text = "built: 1872\\nlamp:\\n  range: 18 nm\\n"
    >>> [(leaf.path, leaf.value) for leaf in _yaml_leaves(text, 0, len(text))]
    [(('built',), '1872'), (('lamp', 'range'), '18 nm')]
    """
    leaves: list[DataLeaf] = []
    open_: list[tuple[int, str]] = []
    for line in re.finditer(r"[^\n]+", text[start:end]):
        match = _YAML_LINE.fullmatch(line[0].rstrip())
        if not line[0].strip() or line[0].strip() == "---" or line[0].lstrip().startswith("#"):
            continue
        if match is None or not (match["key"] or match["dash"]):
            return []
        depth = len(match["indent"]) + len(match["dash"])
        open_ = [
            (at, key) for at, key in open_ if at < depth or (not match["key"] and at <= len(match["indent"]))
        ]
        path = tuple(key for _, key in open_)
        value = match["value"].strip()
        base = start + line.start()
        at = base + match.start("value") + len(match["value"]) - len(match["value"].lstrip())
        if match["key"]:
            key = match["key"].strip('"')
            if not value:
                open_.append((depth, key))
                continue
            path = (*path, key)
        bare = value.strip("\"'")
        first = base + (match.start("key") if match["key"] else match.start("value"))
        if bare:
            leaves.append(DataLeaf(path, first, at, at + len(value), bare, not bare[:1].isdigit()))
    return leaves


def _pair_leaves(text: str, start: int, end: int) -> list[DataLeaf]:
    """The leaves of a line of two or more ``key: value`` parted by semicolons, bars or line ends; else none.

    >>> text = "Height: 31 metres; built: 1872"
    >>> [(leaf.path, leaf.value) for leaf in _pair_leaves(text, 0, len(text))]
    [(('Height',), '31 metres'), (('built',), '1872')]
    """
    leaves = []
    for first, last in _parts(text, start, end):
        match = _PAIR.fullmatch(text, first, last)
        if match is None or _CLAUSE.search(match["key"]) or _CLAUSE.search(match["value"]):
            return []
        value = match["value"].rstrip(" .")
        at = match.start("value")
        leaves.append(DataLeaf((match["key"].strip(),), match.start("key"), at, at + len(value), value, True))
    return leaves if len(leaves) > 1 else []


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for match in re.finditer(r"[;|\n]", text[start:end]):
        if text[at : start + match.start()].strip():
            yield at, start + match.start()
        at = start + match.end()
    if text[at:end].strip():
        yield at, end


# -- records and their claims ----------------------------------------------------------------------------------


class DataRecord(NamedTuple):
    """``text[start:end]`` is data; ``fenced`` says that it stands as code, which may also be an example."""

    start: int
    end: int
    leaves: tuple[DataLeaf, ...]
    fenced: bool = False


_FENCE = re.compile(r"[ \t>]*(?P<marks>[`~]{3,})[ \t]*(?P<kind>[\w+-]*)[^\n]*\n")
_OPENS = re.compile(r"^[ \t]*(?=\{\s*\"|\[\s*\{)", re.MULTILINE)
_REST_OF_LINE = re.compile(r"[ \t]*(?:\n|\Z)")
_LINES = re.compile(r"^[^\n]+(?:\n[^\n]+)*", re.MULTILINE)
_LIST_LINE = re.compile(r"\s*(?:[-*+•>#|]|\d{1,3}[.)])", re.MULTILINE)
_KEYED = re.compile(r"\s*[a-z]+(?:_[a-z0-9]+)*:(?:\s|$)")
_YAML = re.compile(rf"{_KEYED.pattern}|\s*-\s")
_ASKS = re.compile(r"\b(?:json|ya?ml|key[ -]value|dictionary|structured)\b", re.IGNORECASE)
_FORMATS = lexicon("json yaml yml xml csv markdown html english")
_TOPIC = re.compile(
    r"\b(?:about|on|of|for|regarding|concerning|describe|summari[sz]e|describing)\s+"
    r"(?P<topic>(?:(?:the|an?|our|this)\s)?[\w'’&.-]+(?:\s[\w'’&-]+){0,6}?)"
    r"(?=\s+(?:as|in|into|using|with|formatted|please|return|and|from)\b|\s*[.,;:?!(]|\s*$)",
    re.IGNORECASE,
)
_OWNER = re.compile(r"(?P<topic>(?:the\s)?(?:[A-Z][\w-]*\s?){1,4}(?:[a-z]+)?)['’]s\s")
_GENERIC = lexicon("""
    data result results fact facts answer answers response output info information details summary key item items entry
    entries value values text content record records object general overview
    """)
_TRUE, _FALSE = lexicon("true yes"), lexicon("false no")
_NOUN_FORMS = 0.5


def records_in(text: str) -> list[DataRecord]:
    """The stretches of a response that are data, in order, not overlapping."""
    found: list[DataRecord] = []
    fences = closed_fences(text)
    for start, end in fences:
        opening = _FENCE.match(text, start, end)
        if opening and (leaves := _in_fence(text, opening, end)):
            found.append(DataRecord(*trimmed(text, start, end), tuple(leaves), fenced=True))
    at = 0
    while match := _OPENS.search(text, at):
        at = max(match.end(), match.start() + 1)
        if any(start <= match.start() < end for start, end in fences):
            continue
        leaves, end = _json_leaves(text, match.end())
        if leaves and _REST_OF_LINE.match(text, end):
            found.append(DataRecord(match.end(), end, tuple(leaves)))
            at = end
    taken = [*fences, *((one.start, one.end) for one in found)]
    for match in _LINES.finditer(text):
        if ":" not in match[0] or any(match.start() < end and start < match.end() for start, end in taken):
            continue
        if leaves := _pairs(text, *match.span()):
            found.append(DataRecord(*match.span(), tuple(leaves)))
    return sorted(found)


def _in_fence(text: str, opening: re.Match[str], end: int) -> list[DataLeaf]:
    kind = opening["kind"].lower()
    if kind and not kind.startswith(("json", "yaml", "yml", "text", "txt")):
        return []
    start, last = trimmed(text, opening.end(), text.rfind(opening["marks"], opening.end(), end))
    if text[start : start + 1] in ("{", "["):
        return _json_leaves(text, start)[0]
    return _yaml_leaves(text, start, last) if kind.startswith("y") else []


def _pairs(text: str, start: int, end: int) -> list[DataLeaf]:
    """The pairs of a paragraph: of one line of them, or of lines that are YAML by their keys."""
    lines = text[start:end].split("\n")
    if len(lines) == 1:
        if _LIST_LINE.match(lines[0]):
            return []
        return _pair_leaves(text, start, end) if ";" in lines[0] or " | " in lines[0] else []
    keyed = [_KEYED.match(line) is not None for line in lines]
    data = keyed[0] and sum(keyed) > 1 and all(map(_YAML.match, lines))
    return _yaml_leaves(text, start, end) if data else []


def asks_for_data(prompt: str) -> bool:
    """Whether a prompt asks for JSON or the like."""
    return _ASKS.search(prompt) is not None


def subject_of(prompt: str) -> str:
    """What a prompt asks about, as the subject of a sentence; ``""`` where it does not tell.

    >>> subject_of("Facts on the Orby lighthouse as JSON?"), subject_of("When was the Kessel hut built? Use JSON?")
    ('the Orby lighthouse', 'the Kessel hut')
    """
    topics = [match["topic"].strip() for match in (*_TOPIC.finditer(prompt), *_OWNER.finditer(prompt))]
    topics = [
        topic
        for topic in topics
        if not _FORMATS & {*topic.lower().split()} and not _GENERIC & {*topic.lower().split()[-1:]}
    ]
    named = [
        topic for topic in topics if any(word[:1].isupper() for word in topic.split()[1:] or topic.split())
    ]
    if chosen := named or topics:
        return chosen[-1]
    for question in re.findall(r"[^.?!]+\?", prompt):
        discourse = Discourse(centred=True)
        discourse.ask(question.strip(), asked_statement(question.strip()))
        if discourse.subject and not _FORMATS & {*discourse.subject.text.lower().split()}:
            text = discourse.subject.text
            return text[0].lower() + text[1:] if text.startswith(("The ", "A ", "An ")) else text
    return ""


def leaf_claim(original: str, leaf: DataLeaf, subject: str) -> Claim | SkippedSpan:
    """The claim that a value makes, or the span of one that says that it is not known.

    The value's own characters stay where they are, so that findings in it map back.
    """
    text = original[leaf.start : leaf.end]
    keys = [_worded(key) for key in leaf.path]
    about = (
        leaf.name
        if leaf.name and leaf.path[-1].lower() not in ("name", "title", "label", "item")
        else subject
    )
    known = {word.lower() for word in about.split()} | _GENERIC
    keys = [key for key in keys[:-1] if not {*key.lower().split()} <= known] + keys[-1:]
    if is_null_value(leaf.value) or leaf.value.lower() in ("null", "none", "", "-", "–"):
        topic = f"the {' '.join(reversed(keys))} of {about}" if about else " ".join(reversed(keys))
        return SkippedSpan(text, leaf.start, leaf.end, ABSTENTION, topic)
    before, after = _before_and_behind(keys, leaf, about)
    value = original[leaf.at : leaf.end]
    if not after and before:
        return Claim(text, leaf.start, leaf.end, (Substitution(0, len(text), before),))
    if value.strip("\"'") == leaf.value:
        inner = leaf.at - leaf.start + (value.find(leaf.value) if value != leaf.value else 0)
        made = (Substitution(0, inner, before), Substitution(inner + len(leaf.value), len(text), after))
        return Claim(
            text, leaf.start, leaf.end, tuple(one for one in made if one.start < one.end or one.replacement)
        )
    return Claim(text, leaf.start, leaf.end, (Substitution(0, len(text), f"{before}{leaf.value}{after}"),))


def _before_and_behind(keys: list[str], leaf: DataLeaf, about: str) -> tuple[str, str]:
    """What stands before and behind the value in the sentence that it is read in."""
    key, unit = _unit_of(keys[-1]) if keys and leaf.value[:1].isdigit() else (keys[-1] if keys else "", "")
    after = (f" {unit}" if unit else "") + "."
    about = about[:1].upper() + about[1:]
    if is_value_sentence(leaf.value):
        return "", ""
    if not about:
        label = " ".join([*keys[:-1], key])
        return (f"{label[:1].upper()}{label[1:]}: " if label else ""), after
    outer = "".join(f"{one}: " for one in keys[:-1])
    if not outer and (stated := _yes_or_no(about, key, leaf.value.lower())):
        return stated, ""
    if not key:
        return f"{about}: {outer}", after
    verb = verb_of(key.split()[-1].lower())
    done = not outer and verb is not None and verb.form == "past" and verb.share >= _NOUN_FORMS
    if done and (link := _link(leaf.value)):
        return f"{about} was {key} {link} ", after
    if outer or not key.replace(" ", "").isalpha():
        return f"{about}: {outer}{key}: ", after
    return (
        f"The {key} of {about[0].lower() + about[1:] if about.startswith(('The ', 'A ', 'An ')) else about} is ",
        after,
    )


def _yes_or_no(about: str, key: str, value: str) -> str:
    """The sentence that ``"has_lift": true`` or ``"is_open": false`` makes; ``""`` where the key has no verb."""
    verb, _, rest = key.partition(" ")
    if value not in _TRUE | _FALSE or verb not in ("has", "is", "are", "can", "have", "was") or not rest:
        return ""
    if value in _TRUE:
        return f"{about} {verb} {rest}."
    return f"{about} {verb} {'no' if verb in ('has', 'have') else 'not'} {rest}."


def _link(value: str) -> str:
    """What stands between a participle and a value: ``built in 1872``, ``opened on 3 May``, ``designed by Ada``."""
    days = [date.start for one in parse(value) for date in one.dates]
    if days:
        return "on" if days[0].day else "in"
    return "by" if value[:1].isupper() else ""


def _worded(key: str) -> str:
    """``heightMetres`` and ``open_days`` as words."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", key).replace("_", " ").replace("-", " ").split()
    return " ".join(
        word
        if word.isupper() and len(word) > 1
        else word.lower()
        if "_" in key or len(words) > 1 or word.islower()
        else word[0].lower() + word[1:]
        for word in words
    )


def _unit_of(key: str) -> tuple[str, str]:
    """A key without the unit at its end, and the unit: ``height m``, ``visit eur``.

    >>> _unit_of("height m"), _unit_of("visit eur"), _unit_of("built")
    (('height', 'm'), ('visit', 'EUR'), ('built', ''))
    """
    words = key.split()
    if len(words) < 2:
        return key, ""
    upper = words[-1].upper()
    spelling = upper if any(map(is_money, lookup(upper))) else words[-1]
    if any(unit.dimension for unit in lookup(spelling)):
        return " ".join(words[:-1]).removesuffix(" in"), spelling
    return key, ""
