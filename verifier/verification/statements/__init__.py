"""What a passage of a document states, sentence by sentence, and whether the document asserts it.

Start at ``build``. ``factuality`` tells what is asserted, denied, asked, planned; ``questions`` joins a question and
its answer; ``rewording``, ``exceptions``, ``negation``, ``double_negation`` and ``opposites`` say in plain words what
is denied or excepted in others.
"""

from verifier.verification.statements.build import row_factuality, statements_of
from verifier.verification.statements.factuality import support_bar
from verifier.verification.statements.questions import asked_topic
from verifier.verification.statements.types import Factuality, FramedSentence, Statement, StatementPiece

__all__ = [
    "Factuality",
    "FramedSentence",
    "Statement",
    "StatementPiece",
    "asked_topic",
    "row_factuality",
    "statements_of",
    "support_bar",
]
