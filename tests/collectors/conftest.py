"""AWS on loopback."""

from tests.support.aws_fixtures import aws, aws_server, connection

__all__ = ["aws", "aws_server", "connection"]
