"""The site, for the tests of its pages."""

from tests.support.http_fixtures import app, whole_app
from tests.support.site import built_site, site

__all__ = ["app", "built_site", "site", "whole_app"]
