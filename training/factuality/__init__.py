"""Learn the head that tells what a document asserts, from written frames and statements."""

__all__: list[str] = []
