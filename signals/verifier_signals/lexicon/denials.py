"""Words that deny, for checks that only ask whether a text denies something.

The cues of :mod:`verifier_signals.polarity.cues` are a longer list, with what each of them denies.
"""

from __future__ import annotations

from verifier.core.lexicon import lexicon

__all__ = ["DENYING_FORMS", "DENYING_WORDS"]

DENYING_WORDS = lexicon("not never no nobody none nor neither nothing cannot")
"""Words that deny by themselves; ``without`` denies a noun only, so who needs it adds it."""
DENYING_FORMS = DENYING_WORDS | lexicon("isn't aren't wasn't weren't don't doesn't didn't can't won't")
"""The same with the commonest contracted verbs."""
