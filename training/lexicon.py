"""Make the word tables of ``signals/verifier_signals/lexicon`` from WordNet 3.0.

They hold antonyms, synonyms, verbs, nominals, irregular plurals and comparatives, kinds, families and common words.

Run ``python -m training.lexicon [--wordnet /usr/share/wordnet]`` (Debian: ``apt-get install wordnet-base``). The
output is sorted and depends on nothing but the WordNet files, so a second run changes no byte.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "Synset",
    "antonyms",
    "common",
    "families",
    "inflections",
    "kinds",
    "main",
    "nominals",
    "read_counts",
    "read_synsets",
    "synonyms",
    "usual_words",
    "verbs",
]

TARGET = Path(__file__).parent.parent / "signals" / "verifier_signals" / "lexicon"
_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_SENSE_PARTS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_USUAL = 0.1
"""The share of a word's tagged uses from which on a sense of it is a usual one, in [0, 1]."""
_COMPARED = re.compile(
    r"[^aeiouy]*+(?:[aeiou]{2,}[^aeiouy]+|[aeiouy]+(?:[^aeiouy]{2,}|[wxy])|[aeiouy]+[^aeiouy]+e)"
)
"""Adjectives of one syllable that are compared by an ending alone, without a doubled letter."""
_SHARED = 2
"""Letters at their beginning that words of one family share."""
_UNSEEN = 0.2
"""Uses that a sense is given beside those tagged, so that words without any have their few senses alike."""


@dataclass(frozen=True)
class Synset:
    """One sense: its words and its lexical pointers ``(symbol, own word, target part, target offset, target word)``.

    Word numbers count from 1 as in the WordNet files.
    """

    part: str
    offset: int
    words: tuple[str, ...]
    pointers: tuple[tuple[str, int, str, int, int], ...]
    satellite: bool = False
    """Whether it is an adjective that stands by another one, which it is like."""


def read_synsets(folder: Path) -> dict[tuple[str, int], Synset]:
    """All synsets by (part of speech, offset); the format is ``wndb(5)``."""
    found: dict[tuple[str, int], Synset] = {}
    for name, part in _PARTS.items():
        for line in (folder / f"data.{name}").read_text("utf-8").splitlines():
            if line.startswith(" "):
                continue
            fields = line.split(" | ")[0].split()
            offset, count = int(fields[0]), int(fields[3], 16)
            words = tuple(fields[4 + 2 * i].split("(")[0] for i in range(count))
            at = 4 + 2 * count
            pointers = tuple(
                _pointer(fields[i : i + 4]) for i in range(at + 1, at + 1 + 4 * int(fields[at]), 4)
            )
            found[part, offset] = Synset(part, offset, words, pointers, fields[2] == "s")
    return found


def _pointer(fields: list[str]) -> tuple[str, int, str, int, int]:
    symbol, offset, part, numbers = fields
    return symbol, int(numbers[:2], 16), "a" if part == "s" else part, int(offset), int(numbers[2:], 16)


def read_counts(folder: Path) -> tuple[dict[tuple[str, str], int], dict[tuple[str, str, int], int]]:
    """How often a (word, part) was tagged in all its senses, and in the sense of one synset."""
    senses: dict[tuple[str, str, int], int] = {}
    for line in (folder / "cntlist.rev").read_text("utf-8").splitlines():
        key, number, count = line.split()
        word, _, rest = key.partition("%")
        senses[word, _SENSE_PARTS[rest[0]], int(number)] = int(count)
    totals: dict[tuple[str, str], int] = defaultdict(int)
    by_synset: dict[tuple[str, str, int], int] = {}
    for name, part in _PARTS.items():
        for line in (folder / f"index.{name}").read_text("utf-8").splitlines():
            if line.startswith(" "):
                continue
            fields = line.split()
            for number, offset in enumerate(fields[-int(fields[2]) :], 1):
                count = senses.get((fields[0], part, number), 0)
                totals[fields[0], part] += count
                by_synset[fields[0], part, int(offset)] = count
    return totals, by_synset


def antonyms(synsets: dict[tuple[str, int], Synset]) -> Iterator[tuple[str, str, str]]:
    """(word, word, part) of every pair that WordNet links as antonyms, once, words in order."""
    for synset in synsets.values():
        for symbol, own, part, offset, other in synset.pointers:
            if symbol == "!" and own:
                first, second = synset.words[own - 1].lower(), synsets[part, offset].words[other - 1].lower()
                if _plain(first) and _plain(second) and first < second:
                    yield first, second, synset.part


def synonyms(
    synsets: dict[tuple[str, int], Synset], by_synset: dict[tuple[str, str, int], int]
) -> Iterator[tuple[str, str]]:
    """(part, words) of every synset in which two plain words have one of their usual senses.

    What a word is seldom used for makes no synonym of it: ``run`` is no word for ``work``, nor ``go`` for ``last``.
    """
    usual = usual_words(synsets, by_synset)
    for key, synset in synsets.items():
        if len(usual[key]) > 1:
            yield synset.part, " ".join(usual[key])


def usual_words(
    synsets: dict[tuple[str, int], Synset], by_synset: dict[tuple[str, str, int], int]
) -> dict[tuple[str, int], list[str]]:
    """The plain words that have one of their usual senses in each synset, in alphabetical order."""
    tagged = {
        (word.lower(), *key): by_synset.get((word.lower(), *key), 0) + _UNSEEN
        for key, synset in synsets.items()
        for word in synset.words
        if _plain(word)
    }
    uses: dict[str, float] = defaultdict(float)
    for (word, _, _), count in tagged.items():
        uses[word] += count
    usual: dict[tuple[str, int], list[str]] = {key: [] for key in synsets}
    for (word, part, offset), count in sorted(tagged.items()):
        if count >= _USUAL * uses[word]:
            usual[part, offset].append(word)
    return usual


def kinds(
    synsets: dict[tuple[str, int], Synset], by_synset: dict[tuple[str, str, int], int]
) -> tuple[list[tuple[str, str]], list[str]]:
    """The rows (word, numbers of its usual senses) of words in lower case, and for each sense its hypernyms.

    A sense's number is its place in the second list, from 0. Adjectives that are like one have the sense of that one.
    """
    usual = usual_words(synsets, by_synset)
    senses: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for key, synset in synsets.items():
        for word in usual[key]:
            if word in synset.words:
                senses[word].update(_heads(synset) or [key])
    kept: set[tuple[str, int]] = set()
    waiting = [key for keys in senses.values() for key in keys]
    while waiting:
        if (key := waiting.pop()) not in kept:
            kept.add(key)
            waiting += _pointed(synsets[key], "@", "@i")
    number = {key: row for row, key in enumerate(sorted(kept))}

    def numbers(keys: Iterable[tuple[str, int]]) -> str:
        return " ".join(map(str, sorted(number[key] for key in keys)))

    above = [numbers(_pointed(synsets[key], "@", "@i")) for key in number]
    return [(word, numbers(keys)) for word, keys in senses.items()], above


def _heads(synset: Synset) -> list[tuple[str, int]]:
    return _pointed(synset, "&") if synset.satellite else []


def _pointed(synset: Synset, *symbols: str) -> list[tuple[str, int]]:
    return [(part, offset) for symbol, _, part, offset, _ in synset.pointers if symbol in symbols]


def families(
    synsets: dict[tuple[str, int], Synset], by_synset: dict[tuple[str, str, int], int]
) -> Iterator[tuple[str, str]]:
    """(word, words) of what WordNet derives from each other in usual senses: ``annual`` and ``annually``."""
    usual = usual_words(synsets, by_synset)
    found: dict[str, set[str]] = defaultdict(set)
    for key, synset in synsets.items():
        for symbol, own, part, offset, other in synset.pointers:
            if symbol in ("+", "\\") and own and other:
                one, two = synset.words[own - 1].lower(), synsets[part, offset].words[other - 1].lower()
                if (
                    one != two
                    and one[:_SHARED] == two[:_SHARED]
                    and one in usual[key]
                    and two in usual[part, offset]
                ):
                    found[one].add(two)
                    found[two].add(one)
    for word, others in found.items():
        yield word, " ".join(sorted(others))


def verbs(
    synsets: dict[tuple[str, int], Synset], totals: dict[tuple[str, str], int], folder: Path
) -> Iterator[tuple[str, str, str, str]]:
    """(lemma, uses as a verb, other uses, irregular forms) of every plain verb."""
    irregular: dict[str, list[str]] = defaultdict(list)
    for line in (folder / "verb.exc").read_text("utf-8").splitlines():
        form, *lemmas = line.split()
        if _plain(form):
            irregular[lemmas[0]].append(form)
    lemmas = {word.lower() for (part, _), synset in synsets.items() if part == "v" for word in synset.words}
    for lemma in lemmas:
        if _plain(lemma):
            others = sum(totals.get((lemma, part), 0) for part in "nar")
            yield lemma, str(totals.get((lemma, "v"), 0)), str(others), " ".join(sorted(irregular[lemma]))


def nominals(synsets: dict[tuple[str, int], Synset]) -> Iterator[tuple[str, str]]:
    """(noun, verb) of every noun that WordNet derives from a verb and that begins as the verb does."""
    for synset in synsets.values():
        if synset.part != "v":
            continue
        for symbol, own, part, offset, other in synset.pointers:
            if symbol == "+" and part == "n" and own:
                verb, noun = synset.words[own - 1].lower(), synsets[part, offset].words[other - 1].lower()
                if _plain(verb) and _plain(noun) and noun != verb and noun[:3] == verb[:3]:
                    yield noun, verb


def inflections(
    synsets: dict[tuple[str, int], Synset], totals: dict[tuple[str, str], int], folder: Path
) -> Iterator[tuple[str, str]]:
    """(form, base form) of the plurals that no rule gives, and of the comparatives and superlatives in use.

    Of several base forms the one with most tagged uses. No form that is rather a word of its own: ``opera`` is hardly
    ever the plural of ``opus``, nor ``offer`` what is more off.
    """
    words = {word for synset in synsets.values() for word in synset.words}
    best: dict[str, tuple[int, str]] = {}
    for form, part, lemmas in _irregular(folder):
        count, base = max((totals.get((lemma, part), 0), lemma) for lemma in lemmas)
        known = _plain(form) and _plain(base) and base in words and form.removesuffix("s") not in lemmas
        if known and max(totals.get((form, other), -1) for other in "nvar") < max(count, 1):
            best[form] = max(best.get(form, (0, "")), (count, base))
    for word in words:
        if totals.get((word, "a"), 0) > 0 and _COMPARED.fullmatch(word):
            for form in (word.removesuffix("e") + "er", word.removesuffix("e") + "est"):
                if form not in best and all(totals.get((form, part)) is None for part in "nv"):
                    best[form] = 0, word
    for form, (_, base) in best.items():
        yield form, base


def _irregular(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    """(form, part, base forms) of every noun, adjective and adverb that WordNet lists as irregular."""
    for name in ("noun", "adj", "adv"):
        for line in (folder / f"{name}.exc").read_text("utf-8").splitlines():
            form, *lemmas = line.split()
            yield form, _PARTS[name], lemmas


def common(
    synsets: dict[tuple[str, int], Synset], by_synset: dict[tuple[str, str, int], int], folder: Path
) -> Iterator[tuple[str]]:
    """Every plain word that WordNet writes in lower case, and every irregular form.

    A word that it also knows with a capital (``Paris``, ``paris`` the herb) must be in use in lower case.
    """
    proper = {word.lower() for synset in synsets.values() for word in synset.words if not word.islower()}
    for synset in synsets.values():
        for word in synset.words:
            used = word not in proper or by_synset.get((word, synset.part, synset.offset), 0) > 0
            if _plain(word) and word.islower() and used:
                yield (word,)
    for name in _PARTS:
        for line in (folder / f"{name}.exc").read_text("utf-8").splitlines():
            if _plain(line.split()[0]):
                yield (line.split()[0],)


def _plain(word: str) -> bool:
    return word.isascii() and word.isalpha() and len(word) > 1


def _write(name: str, rows: Iterable[tuple[str, ...]]) -> None:
    _save(name, sorted({"\t".join(row) for row in rows}))


def _save(name: str, lines: Sequence[str]) -> None:
    (TARGET / name).write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{name}: {len(lines)} lines")


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--wordnet", type=Path, default=Path("/usr/share/wordnet"), help="folder of WordNet 3.0"
    )
    folder = parser.parse_args().wordnet
    synsets = read_synsets(folder)
    totals, by_synset = read_counts(folder)
    _write("antonyms.tsv", antonyms(synsets))
    _write("synonyms.tsv", synonyms(synsets, by_synset))
    _write("verbs.tsv", verbs(synsets, totals, folder))
    _write("nominals.tsv", nominals(synsets))
    _write("inflections.tsv", inflections(synsets, totals, folder))
    senses, above = kinds(synsets, by_synset)
    _write("senses.tsv", senses)
    _save("above.txt", above)
    _write("families.tsv", families(synsets, by_synset))
    _write("common.txt", common(synsets, by_synset, folder))


if __name__ == "__main__":
    main()
