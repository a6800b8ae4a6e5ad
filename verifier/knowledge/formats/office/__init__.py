"""Read workbooks, slides, OpenDocument files and electronic books."""
