"""Replies of a chat model that is never wrong, in the form that each checker asks for, from the labels of the answers.

It reads what is asked only as far as it must to know which checker asks which question about which answer; a request
that it does not know is an error. Its sentences are those of the texts: it takes an answer apart into the sentences
that are labelled, and lists every sentence of a document where all its truths are asked for. What it quotes as evidence
is the sentence that has most words of the claim. So calls, tokens and what a checker makes of right replies are
measured, not how well a model reads.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.fleet.judges.answers import Judged
from verifier.core.sentences import sentence_spans
from verifier.types import Verdict

__all__ = ["Script", "UnknownRequest"]

_WORD = re.compile(r"\w+")
_LABELS: Mapping[Verdict, str] = {
    Verdict.SUPPORTED: "supported",
    Verdict.CONTRADICTED: "contradicted",
    Verdict.UNVERIFIABLE: "not_said",
    Verdict.FABRICATED: "unheard_of",
}
"""In the words of our chat reader's rules."""


class UnknownRequest(ValueError):
    """No checker that is known here asks this."""


class Script:
    """The replies to whatever the checkers ask about these answers."""

    def __init__(self, answers: Sequence[Judged]) -> None:
        self._answers = answers
        self._labels = dict(claim for answer in answers for claim in answer.claims)

    def reply(self, asked: str) -> str:
        """The reply to a request.

        Raises:
            UnknownRequest: it is of no kind that is known, or about no answer that is.
        """
        for mark, said in _KINDS.items():
            if mark in asked:
                told = said(self, asked)
                return told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
        raise UnknownRequest(f"no checker is known to ask: {asked[:200]!r}")

    def _about(self, asked: str) -> Judged:
        """The answer that stands in a request, plain or as a JSON string."""
        for answer in self._answers:
            if any(text in asked for text in _forms(answer.answer)):
                return answer
        raise UnknownRequest(f"it holds none of the answers: {asked[-200:]!r}")

    def _document(self, asked: str) -> Judged:
        for answer in self._answers:
            if any(text in asked for text in _forms(answer.context)):
                return answer
        raise UnknownRequest(f"it holds none of the documents: {asked[-200:]!r}")

    def label(self, claim: str) -> Verdict:
        """Of the labelled sentence that has most words in common with a claim."""
        return self._labels[max(self._labels, key=lambda sentence: _likeness(claim, sentence))]

    def _statements(self, asked: str) -> dict[str, Any]:
        return {"statements": [sentence for sentence, _ in self._about(asked).claims]}

    def _judged_statements(self, asked: str) -> dict[str, Any]:
        """Ragas: 1 for what follows from the context, 0 for all else."""
        given = json.loads(asked[asked.rindex("input: ") + len("input: ") : asked.rindex("}") + 1])
        return {
            "statements": [
                {
                    "statement": statement,
                    "reason": _reason(statement, given["context"]),
                    "verdict": int(self.label(statement) is Verdict.SUPPORTED),
                }
                for statement in given["statements"]
            ]
        }

    def _truths(self, asked: str) -> dict[str, Any]:
        return {"truths": _sentences(self._document(asked).context)}

    def _claims(self, asked: str) -> dict[str, Any]:
        return {"claims": [sentence for sentence, _ in self._about(asked).claims]}

    def _verdicts(self, asked: str) -> dict[str, Any]:
        """DeepEval: no for what contradicts the context, borderline for what it does not say; reasons for both."""
        context, _, rest = asked.rpartition("Retrieval Contexts:")[2].rpartition("\nClaims:")
        words = {Verdict.SUPPORTED: "yes", Verdict.CONTRADICTED: "no"}
        told = []
        for claim in ast.literal_eval(rest.partition("\n\n")[0].strip()):
            said = words.get(self.label(claim), "borderline")
            told.append({"verdict": said} | ({} if said == "yes" else {"reason": _reason(claim, context)}))
        return {"verdicts": told}

    def _explained(self, asked: str) -> dict[str, Any]:
        """DeepEval: why the score is what it is."""
        score, _, rest = asked[asked.rindex("Faithfulness Score:") :].partition("Contradictions:")
        why = " ".join(rest.partition("JSON:")[0].split())
        return {"reason": f"The score is {score.split()[-1]} because of these contradictions: {why}"}

    def _readings(self, asked: str) -> dict[str, Any]:
        """Our own chat reader."""
        evidence = _strings(asked, "EVIDENCE")
        told = []
        for name, claim in _strings(asked, "CLAIMS"):
            verdict = self.label(claim)
            sides = verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED)
            quoted = [_nearest(claim, evidence)] if sides else []
            note = f"The evidence speaks of it: {_LABELS[verdict].replace('_', ' ')}."
            told.append({"id": name, "quotations": quoted, "note": note, "label": _LABELS[verdict]})
        return {"readings": told}

    def _yes_or_no(self, asked: str) -> dict[str, Any]:
        """director-ai's judge: is the whole answer right? It shows only the beginning of a long one."""
        for answer in self._answers:
            if any(text[:_SHOWN] in asked for text in _forms(answer.answer)):
                return {"verdict": "YES" if answer.faithful else "NO", "confidence": 95}
        raise UnknownRequest(f"it holds none of the answers: {asked[-200:]!r}")


_SHOWN = 150
"""Characters of an answer by which it is known where it is cut short."""

_KINDS: Mapping[str, Callable[[Script, str], Any]] = {
    "<<<CLAIMS ": Script._readings,
    "StatementGeneratorOutput": Script._statements,
    "NLIStatementOutput": Script._judged_statements,
    '"truths" key': Script._truths,
    '"claims" key': Script._claims,
    "'verdicts' key": Script._verdicts,
    "'reason' key": Script._explained,
    "YES": Script._yes_or_no,
}
"""What stands in a request -> how it is replied to; the first that fits."""


def _forms(text: str) -> tuple[str, ...]:
    return text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]


def _sentences(text: str) -> list[str]:
    """
    >>> _sentences("It opens at 9 a.m. on Sundays. Come early!")
    ['It opens at 9 a.m. on Sundays.', 'Come early!']
    """
    return [text[start:end] for start, end in sentence_spans(text)]


def _likeness(one: str, other: str) -> float:
    """Share of the words of both that both have."""
    here, there = (set(_WORD.findall(text.lower())) for text in (one, other))
    return len(here & there) / (len(here | there) or 1)


def _reason(claim: str, text: str) -> str:
    """A reason as models give it: a sentence that quotes."""
    best = max(_sentences(text), key=lambda sentence: _likeness(claim, sentence))
    return f"The context says: {best}"


def _strings(asked: str, block: str) -> list[tuple[str, str]]:
    """Number or id, and text, of each line of a block of our own request."""
    lines = asked[asked.rindex(f"<<<{block} ") :].partition("\n")[2].partition("\n<<<END ")[0].splitlines()
    found = []
    for line in lines:
        name, _, rest = line.partition(" ")
        strings, at = [], 0
        while at < len(rest) and rest[at] == '"':
            text, end = json.JSONDecoder().raw_decode(rest, at)
            strings.append(text)
            at = end + 1
        found.append((name, strings[0 if block == "CLAIMS" else 1]))
    return found


def _nearest(claim: str, evidence: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The sentence of the evidence that has most words of a claim, as a quotation."""
    every = [(number, sentence) for number, text in evidence for sentence in _sentences(text)]
    number, sentence = max(every, key=lambda one: _likeness(claim, one[1]))
    return {"piece": int(number), "text": sentence}
