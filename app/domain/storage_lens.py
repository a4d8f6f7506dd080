"""S3 Storage Lens: what an account has S3 count about all its buckets, and where that goes."""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

_LIST = "s3control:ListStorageLensConfigurations"
_GET = "s3control:GetStorageLensConfiguration"


@dataclass(frozen=True, slots=True)
class S3StorageLensFacts(FactDocument):
    """A configuration of S3 Storage Lens."""

    KIND: ClassVar[str] = "s3_storage_lens_configuration"
    AREA: ClassVar[str] = "storage_metrics"

    home_region: Fact[str] = fact("Where its figures are kept.", _LIST)
    lens_enabled: Fact[bool] = fact("It is switched on.", _GET)
    advanced_metrics: Fact[tuple[str, ...]] = fact(
        "Groups of figures beyond the free ones that are on, in S3's words.", _GET
    )
    organization_arn: Fact[str] = fact(
        "The organization whose accounts it covers; absent when it covers its own account.", _GET
    )
    included_regions: Fact[tuple[str, ...]] = fact("Regions it is narrowed to.", _GET)
    excluded_regions: Fact[tuple[str, ...]] = fact("Regions it leaves out.", _GET)
    included_buckets: Fact[tuple[str, ...]] = fact("Buckets it is narrowed to.", _GET)
    excluded_buckets: Fact[tuple[str, ...]] = fact("Buckets it leaves out.", _GET)
    export_bucket: Fact[str] = fact(
        "The bucket that its figures are written to daily; absent without an export.", _GET
    )
    export_account_id: Fact[str] = fact("The account of that bucket.", _GET)
    export_format: Fact[str] = fact("CSV or Parquet.", _GET)
