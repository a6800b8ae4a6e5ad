# The server, with what reads office files. The wheel is built in the first stage; only what it needs comes into the second.
FROM python:3.11-slim-bookworm AS build
WORKDIR /source
COPY constraints.txt pyproject.toml hatch_build.py README.md LICENSE ./
COPY verifier verifier
COPY backends backends
COPY signals signals
RUN python -m venv /opt/verifier \
    && pip wheel --no-cache-dir --no-deps --wheel-dir /dist . \
    && /opt/verifier/bin/pip install --no-cache-dir --constraint constraints.txt \
        "rag-claim-verifier[server,office,redis] @ file://$(echo /dist/*.whl)"

FROM python:3.11-slim-bookworm
COPY --from=build /opt/verifier /opt/verifier
RUN useradd --system --uid 10001 --no-create-home verifier \
    && install --directory --owner verifier /data
ENV PATH=/opt/verifier/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    VERIFIER_KB__PATH=/data/kb \
    VERIFIER_CACHE_DIR=/data/cache \
    VERIFIER_SERVER__HOST=0.0.0.0 \
    VERIFIER_SERVER__KEYS=/data/keys.json
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8765/readyz', timeout=4)"]
ENTRYPOINT ["verifier"]
CMD ["serve", "--create"]
