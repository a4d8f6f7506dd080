"""All parts of Azure's story beside its storage accounts."""

from app.sandbox.azure import (
    story_ai,
    story_aks,
    story_batch,
    story_compute,
    story_lustre,
    story_machine_learning,
    story_netapp,
    story_qumulo,
    story_subscriptions,
)
from app.sandbox.azure.held import Chapter

CHAPTERS: tuple[Chapter, ...] = (
    story_subscriptions.CHAPTER,
    story_aks.CHAPTER,
    story_lustre.CHAPTER,
    story_compute.CHAPTER,
    story_batch.CHAPTER,
    story_machine_learning.CHAPTER,
    story_netapp.CHAPTER,
    story_qumulo.CHAPTER,
    story_ai.CHAPTER,
)
