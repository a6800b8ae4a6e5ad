"""Check a text: find its claims, retrieve evidence, compare, decide, report. ``scorer`` runs these stages in order."""
