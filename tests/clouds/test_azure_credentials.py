"""Credentials of Azure are made from real files, and a wrong file is not repeated."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from azure.identity import CertificateCredential
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    pkcs12,
)
from cryptography.x509.oid import NameOID

from app.clouds.azure_config import parse_config
from app.clouds.azure_credentials import TokenSource, token_source
from app.clouds.failures import CallFailedError
from app.kit.secrets import resolve_secret

GUID = "c1e72000-0000-4000-8000-000000000001"


def made_from(path: Path) -> TokenSource:
    """The credential of a connection with this certificate."""
    given = {
        "mode": "client_certificate",
        "tenant_id": GUID,
        "client_id": GUID,
        "certificate": f"file:{path}",
    }
    return token_source(parse_config({"credentials": given}), resolve_secret)


@pytest.fixture(scope="module")
def forms() -> dict[str, bytes]:
    """One certificate with its key as PEM and as PKCS12."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "reader")])
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(begin).not_valid_after(begin + timedelta(days=365))
    made = builder.sign(key, hashes.SHA256())
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    bag = pkcs12.serialize_key_and_certificates(b"reader", key, made, None, NoEncryption())
    return {"pem": private + made.public_bytes(Encoding.PEM), "pkcs12": bag}


@pytest.mark.parametrize("form", ["pem", "pkcs12"])
def test_a_certificate_is_taken_in_both_forms(
    forms: dict[str, bytes], tmp_path: Path, form: str
) -> None:
    (tmp_path / "reader").write_bytes(forms[form])
    assert isinstance(made_from(tmp_path / "reader"), CertificateCredential)


def test_a_file_that_is_no_certificate_is_not_repeated(tmp_path: Path) -> None:
    (tmp_path / "reader").write_text("root:inner-things:0\n")
    with pytest.raises(CallFailedError) as refused:
        made_from(tmp_path / "reader")
    assert "inner-things" not in refused.value.detail
