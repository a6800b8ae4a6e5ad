"""Workbooks, slides, OpenDocument files and electronic books go in, Documents come out."""
