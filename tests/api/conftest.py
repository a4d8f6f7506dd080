"""Clients of the HTTP door for the tests of this folder."""

from tests.support.http_fixtures import ana, app, browser, program, stranger, whole_app

__all__ = ["ana", "app", "browser", "program", "stranger", "whole_app"]
