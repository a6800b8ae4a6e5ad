"""WordNet 3.0 goes in, the word tables of ``signals/lexicon`` come out: antonyms, synonyms, verbs, nominals,
common words.

Run ``python -m training.lexicon [--wordnet /usr/share/wordnet]`` (Debian: ``apt-get install wordnet-base``). The
output is sorted and depends on nothing but the WordNet files, so a second run changes no byte.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "Synset",
    "antonyms",
    "common",
    "main",
    "nominals",
    "read_counts",
    "read_synsets",
    "synonyms",
    "verbs",
]

TARGET = Path(__file__).parent.parent / "signals" / "lexicon"
_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_SENSE_PARTS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_USUAL = 0.1
"""The share of a word's tagged uses from which on a sense of it is a usual one, in [0, 1]."""
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
            found[part, offset] = Synset(part, offset, words, pointers)
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
    tagged = {
        (word.lower(), synset.part, synset.offset): by_synset.get(
            (word.lower(), synset.part, synset.offset), 0
        )
        + _UNSEEN
        for synset in synsets.values()
        for word in synset.words
        if _plain(word)
    }
    uses: dict[str, float] = defaultdict(float)
    for (word, _, _), count in tagged.items():
        uses[word] += count
    for synset in synsets.values():
        words = {word.lower() for word in synset.words if _plain(word)}
        usual = sorted(
            word for word in words if tagged[word, synset.part, synset.offset] >= _USUAL * uses[word]
        )
        if len(usual) > 1:
            yield synset.part, " ".join(usual)


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
    lines = sorted({"\t".join(row) for row in rows})
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
    _write("common.txt", common(synsets, by_synset, folder))


if __name__ == "__main__":
    main()
