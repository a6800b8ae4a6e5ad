"""A text you doubt, through: claims, retrieve, windows, verdict, report; ``scorer`` runs the stages in order."""
