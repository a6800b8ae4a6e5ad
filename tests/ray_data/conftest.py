"""What these tests of ``make test-ray`` share: a cluster of two nodes on this machine, each with one CPU."""

import os
from pathlib import Path

import pytest

WORKER = Path(__file__).resolve().parents[1] / "support" / "batch_worker.py"


@pytest.fixture(scope="session")
def cluster():
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    made.wait_for_nodes()
    yield made
    made.shutdown()
