"""Why a verdict is what it is: a sentence for people, a ledger for programs."""
