"""Clients of the HTTP door and AWS on loopback for the tests of this folder."""

from tests.support.aws_fixtures import aws, aws_server, connection
from tests.support.http_fixtures import ana, app, browser, program, stranger, whole_app

__all__ = [
    "ana",
    "app",
    "aws",
    "aws_server",
    "browser",
    "connection",
    "program",
    "stranger",
    "whole_app",
]
