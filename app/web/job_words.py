"""The English words for what is known of jobs by code; they are the keys of the catalogues."""

from app.kit.i18n import mark

PHASES: dict[str, str] = {
    "training": mark("Training"),
    "fine_tuning": mark("Fine-tuning"),
    "inference": mark("Inference"),
    "evaluation": mark("Evaluation"),
    "preprocessing": mark("Preprocessing"),
}
MODEL_KINDS: dict[str, str] = {
    "large_language_model": mark("Large language model"),
    "multimodal": mark("Multimodal model"),
    "vision": mark("Vision model"),
    "speech": mark("Speech model"),
    "embedding": mark("Embedding model"),
    "classical": mark("Classical model"),
}
# A job's state as (shape, word).
STATES: dict[str, tuple[str, str]] = {
    "planned": ("paused", mark("Planned")),
    "running": ("run", mark("Running")),
    "succeeded": ("pass", mark("Succeeded")),
    "failed": ("fail", mark("Failed")),
    "cancelled": ("paused", mark("Cancelled")),
}
# How a machine fits as (shape, word).
FITS: dict[str, tuple[str, str]] = {
    "right": ("pass", mark("Right")),
    "older": ("warn", mark("Older family")),
    "wrong": ("fail", mark("Wrong")),
}
MISFITS: dict[str, str] = {
    "without_accelerators": mark("it has no accelerators"),
    "without_rdma": mark("it has no RDMA"),
    "with_unused_rdma": mark("it has RDMA, which inference does not use"),
    "for_graphics": mark("it is made for graphics"),
    "small_model_on_accelerators": mark("a small model needs no accelerators"),
    "not_memory_optimised": mark("it is not memory-optimised"),
    "not_compute_optimised": mark("it is not compute-optimised"),
    "older_generation": mark("a newer family does the same"),
}
# Why a price is not known, by the code that stands instead of it.
PRICE_GAPS: dict[str, str] = {
    "PriceNotKnown": mark("No list price of one of the two is known here."),
    "SpotPrice": mark("Prices of Spot machines are those of the moment."),
}
STORES: dict[str, str] = {
    "object_store": mark("Object store"),
    "file_system": mark("File system"),
    "scratch": mark("Scratch, gone with the job"),
}
SCRATCHES: dict[str, str] = {
    "local_nvme": mark("Local NVMe"),
    "beeond": mark("BeeOND"),
    "lustre": mark("Lustre"),
    "netapp": mark("NetApp Files"),
}
RUNTIMES: dict[str, str] = {
    "nvidia_container_toolkit": mark("NVIDIA Container Toolkit"),
    "pyxis_enroot": mark("Pyxis and Enroot"),
    "other": mark("Another runtime"),
}
PRACTICES: dict[str, str] = {
    "workflow_defined": mark("Workflow defined"),
    "logged": mark("Logged"),
    "prerequisites_validated": mark("Prerequisites validated"),
    "versioned": mark("Versioned"),
    "automated": mark("Automated"),
}
