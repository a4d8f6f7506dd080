# Debian slim, because DuckDB and others ship no wheels for musl. Nothing is compiled.
FROM python:3.13-slim-bookworm AS build
ENV UV_PYTHON_DOWNLOADS=never UV_LINK_MODE=copy UV_COMPILE_BYTECODE=1
RUN pip install --no-cache-dir --disable-pip-version-check uv==0.13.9
WORKDIR /srv/atalaya
COPY requirements-runtime.lock requirements-assets.lock ./
RUN uv venv --quiet .venv \
 && uv pip sync --quiet --no-cache --require-hashes --python .venv/bin/python \
    requirements-runtime.lock requirements-assets.lock
COPY pyproject.toml ./
COPY app app
COPY migrations migrations
COPY templates templates
COPY locale locale
COPY static static
RUN .venv/bin/python -m app.cli assets build

FROM python:3.13-slim-bookworm
WORKDIR /srv/atalaya
COPY --from=build /srv/atalaya /srv/atalaya
RUN install -d -o 65534 -g 65534 -m 0700 /var/lib/atalaya
ENV PATH="/srv/atalaya/.venv/bin:$PATH" PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    ATALAYA_HOST=0.0.0.0 ATALAYA_HOME=/var/lib/atalaya
USER 65534:65534
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=10s --start-period=30s \
  CMD ["python", "-m", "app.cli", "health", "web"]
CMD ["python", "-m", "app.cli", "web"]
