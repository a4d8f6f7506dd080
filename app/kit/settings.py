"""All settings, from environment variables with the prefix ATALAYA_. Nothing else reads them."""

import os
from functools import lru_cache
from pathlib import Path
from typing import Literal, Self
from zoneinfo import ZoneInfo, available_timezones

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.kit.errors import SettingsError

ROOT = Path(__file__).resolve().parents[2]


class Settings(BaseSettings):
    """One frozen object per process; the README's table is generated from these fields."""

    model_config = SettingsConfigDict(env_prefix="ATALAYA_", frozen=True, extra="ignore")

    home: Path = Field(
        Path("var"), description="Folder of the embedded database, broker, logs and files."
    )
    database_url: str = Field(
        "", description="SQLAlchemy URL of Postgres; empty: SQLite in the home folder."
    )
    redis_url: str = Field(
        "", description="URL of Redis or Valkey; empty: a private Valkey started by `up`."
    )
    host: str = Field("127.0.0.1", description="Address the web process listens on.")
    port: int = Field(8000, ge=0, le=65535, description="Port the web process listens on.")
    base_url: str = Field("", description="Public address, for links; empty: http://host:port.")
    environment: Literal["embedded", "production"] = Field(
        "embedded", description="production demands Postgres, Redis and an https base_url."
    )
    organisation: str = Field("", description="Name shown in the sidebar and on reports.")
    time_zone: str = Field(
        "UTC", description="IANA zone of weeks, reports and schedules, such as Europe/Madrid."
    )
    sandbox: bool = Field(False, description="Set by `up --sandbox`; pages say so.")
    sweep_threads: int = Field(
        20, ge=1, le=64, description="Parallel requests of one sweep toward one cloud."
    )
    worker_concurrency: int = Field(2, ge=1, le=64, description="Worker processes.")
    lease_seconds: float = Field(
        30, ge=1, le=3600, description="How long a claimed run is held without a heartbeat."
    )
    resend_after_seconds: float = Field(
        10, ge=1, le=3600, description="Age at which a queued run is sent again."
    )
    dispatch_every_seconds: float = Field(
        2, ge=0.2, le=60, description="How often beat looks for due work."
    )
    samples_kept_days: int = Field(
        63, ge=3, le=3650, description="How long metric samples finer than a day are kept."
    )
    session_hours: int = Field(12, ge=1, le=720, description="Life of a browser session.")
    allow_private_endpoints: bool = Field(
        False,
        description="Let connections name endpoints on loopback or private addresses.",
    )
    allow_developer_credentials: bool = Field(
        False,
        description="Let connections to Azure sign in with what a developer's machine has "
        "(`developer_default`); for development only.",
    )
    secret_folders: str = Field(
        "",
        description="Folders from which `file:` references of connections may read, split by `:`; "
        "empty: secrets in the home folder, /run/secrets and /var/run/secrets.",
    )
    log_format: Literal["console", "json"] = Field("console", description="Form of log lines.")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="Lowest level that is logged."
    )

    @field_validator("home")
    @classmethod
    def home_fits_into_a_url(cls, value: Path) -> Path:
        """Refuses the one character that the URL of SQLite cannot say in a path."""
        if "?" in str(value.resolve()):
            raise ValueError("a question mark cannot be in this path; choose another folder")
        return value

    @field_validator("time_zone")
    @classmethod
    def zone_exists(cls, value: str) -> str:
        """Refuses names that are not in the IANA database."""
        if value not in available_timezones():
            raise ValueError(f"unknown time zone {value!r}; use an IANA name such as Europe/Madrid")
        return value

    @model_validator(mode="after")
    def production_is_complete(self) -> Self:
        """Refuses embedded defaults where people rely on them."""
        if self.environment == "production":
            wrong = {
                "ATALAYA_DATABASE_URL must name Postgres": self.database_url.startswith("postgres"),
                "ATALAYA_REDIS_URL must be set": bool(self.redis_url),
                "ATALAYA_BASE_URL must start with https://": self.base_url.startswith("https://"),
            }
            if faults := [fault for fault, met in wrong.items() if not met]:
                raise ValueError("in production " + ", ".join(faults))
        return self

    @property
    def zone(self) -> ZoneInfo:
        """The zone of weeks, reports and schedules."""
        return ZoneInfo(self.time_zone)

    @property
    def secret_places(self) -> tuple[Path, ...]:
        """The folders that secrets may come from, resolved."""
        named = self.secret_folders or f"{self.home}/secrets:/run/secrets:/var/run/secrets"
        return tuple(Path(folder).resolve() for folder in named.split(":") if folder)

    @property
    def database(self) -> str:
        """The database URL in force."""
        return self.database_url or f"sqlite:///{self.home.resolve()}/atalaya.db"

    @property
    def address(self) -> str:
        """The public address without a trailing slash."""
        return (self.base_url or f"http://{self.local_host}:{self.port}").rstrip("/")

    @property
    def local_host(self) -> str:
        """How this machine itself reaches the web process: never 0.0.0.0 or ::."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104
        return f"[{host}]" if ":" in host else host


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings of this process; SettingsError names each wrong variable."""
    try:
        return Settings()
    except ValidationError as error:
        faults = tuple(
            {"where": _variable(fault["loc"]), "what": fault["msg"].removeprefix("Value error, ")}
            for fault in error.errors()
        )
        lines = "; ".join(f"{fault['where']}: {fault['what']}" for fault in faults)
        raise SettingsError(lines, errors=faults) from None


def _variable(loc: tuple[int | str, ...]) -> str:
    """The variable that a fault of validation is about; all of them when it is none alone."""
    return f"ATALAYA_{str(loc[0]).upper()}" if loc else "ATALAYA_ENVIRONMENT"


def settle(**values: object) -> Settings:
    """Sets variables for this process and its children, as `up` does; the settings read anew."""
    os.environ.update({f"ATALAYA_{name.upper()}": str(value) for name, value in values.items()})
    settings.cache_clear()
    return settings()
