"""Written frames and statements in; the head out that tells what a document asserts."""

__all__: list[str] = []
