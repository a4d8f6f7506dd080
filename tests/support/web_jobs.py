"""A job for the pages: run by hand on the wrong machines, with something of every kind of fact."""

from datetime import datetime

from app.domain.access import SYSTEM
from app.domain.declared import JobDeclaration
from app.services import jobs
from app.store.session import transaction


def declare(now: datetime, hostile: str) -> None:
    """Registers it; its evidence is text of strangers."""
    said = {
        "phase": "inference",
        "model_kind": "large_language_model",
        "parameter_count": 7_000_000_000,
        "provider": "azure",
        "region": "eastus",
        "machine_type": "Standard_ND96isr_H100_v5",
        "node_count": 2,
        "capacity": "on_demand",
        "orchestrator": None,
        "data_location": "abfss://data@cierzo.dfs.core.windows.net/",
        "scratch": "local_nvme",
        "scratch_mount": "/mnt/nvme",
        "checkpoint_location": "/mnt/nvme/checkpoints",
        "output_location": "/lustre/out",
        "logged": f"/lustre/{hostile}",
        "automated": None,
        "state": "running",
    }
    declaration = JobDeclaration("atlas-llm", "atlas-7b", {"owner": hostile}, said)
    with transaction() as session:
        jobs.register(session, access=SYSTEM, declaration=declaration, now=now)
