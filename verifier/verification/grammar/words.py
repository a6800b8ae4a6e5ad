"""Closed-class words of English, numerals, and the names of months and weekdays: each list stands here once."""

from __future__ import annotations

from verifier_signals.lexicon.calendar import MONTHS, WEEKDAYS

from verifier.core.lexicon import lexicon

__all__ = [
    "ADVERBS",
    "AUXILIARIES",
    "DEMONSTRATIVES",
    "DETERMINERS",
    "MODALS",
    "MONTHS_AND_WEEKDAYS",
    "NUMERALS",
    "POSSESSIVES",
    "PREPOSITIONS",
    "RELATIVE_PRONOUNS",
    "SUBJECT_PRONOUNS",
    "SUBORDINATORS",
]

AUXILIARIES = lexicon("""
    is are was were am has have had do does did will would can could may might must shall should cannot
    ought isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't can't
    couldn't mustn't shouldn't needn't 's 're 've 'll 'd
    """)
MODALS = lexicon("will would can could may might must shall should")
SUBJECT_PRONOUNS = lexicon("it he she they we you i there this that these those")
POSSESSIVES = lexicon("its their his her")
DEMONSTRATIVES = lexicon("this that these those")
RELATIVE_PRONOUNS = lexicon("who which whose")
SUBORDINATORS = lexicon("""
    that if unless when whenever because which who whom whose whether while although though since until
    after before as where wherever provided once so than how why what
    """)
DETERMINERS = lexicon("""
    the a an its their his her our my your this that these those each every all both some any no most many several
    """)
PREPOSITIONS = lexicon("""
    of in on at by for with from to into onto over under near through across between among within without during
    since until till after before around about against along behind beside below above per via as up down off out
    """)
ADVERBS = lexicon(
    "not never also still already now only again later once twice there here today abroad home together"
)
NUMERALS = lexicon("""
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen
    """)
MONTHS_AND_WEEKDAYS = frozenset({*MONTHS, *WEEKDAYS})
