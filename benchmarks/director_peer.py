"""Time and memory that director-ai takes over passages and queries (JSON lines), printed as JSON.

``benchmarks.scale`` runs this file with the Python of an environment that holds director-ai, which it knows by its
public names alone. It imports nothing else of ours.
"""

import json
import resource
import statistics
import sys
import time
from pathlib import Path


def main(name: str, folder: Path, k: int) -> None:
    """Fill the backend, ask every query by itself, print the figures."""
    import director_ai

    backend = director_ai.InMemoryBackend()
    if name == "director-hybrid":
        backend = director_ai.HybridBackend(backend)
    started, busy = time.perf_counter(), time.process_time()
    with (folder / "passages.jsonl").open(encoding="utf-8") as file:
        for number, line in enumerate(file):
            backend.add(f"p{number}", json.loads(line), {"part": number % 10})
    built, built_busy = time.perf_counter() - started, time.process_time() - busy
    times, processor, found = [], [], []
    for query in json.loads((folder / "queries.json").read_text(encoding="utf-8")):
        began, busy = time.perf_counter(), time.process_time()
        hits = backend.query(query, k)
        processor.append(time.process_time() - busy)
        times.append(time.perf_counter() - began)
        found.append([hit["id"] for hit in hits])
        if sum(times) > 60:
            break
    status = Path("/proc/self/status")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if status.exists():
        # The figure of getrusage begins with that of the parent.
        peak = next(int(row.split()[1]) for row in status.open() if row.startswith("VmHWM:")) / 1024
    row = {
        "build_s": built,
        "build_cpu_s": built_busy,
        "times": times,
        "cpu_ms": 1000 * statistics.median(processor),
        "found": found,
    }
    print(json.dumps({**row, "build_MiB": peak, "serve_MiB": peak}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
