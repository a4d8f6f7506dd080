"""The version of the product, as pages, API and the User-Agent of our requests show it."""

VERSION = "0.1.0"
