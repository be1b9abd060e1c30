#!/usr/bin/env bash
# Every client against a real server: builds it, starts it on a free port with data of its own, runs
# the suites, stops it. What is installed stays under target/ and in ignored folders, and is
# installed anew when its list of versions changes.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
home=$target/clients
mkdir -p "$home"
home=$(cd "$home" && pwd)

say() { printf '\n== clients: %s\n' "$*"; }

need() {
    local missing=()
    python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3 python3-venv)
    command -v npm >/dev/null 2>&1 || missing+=(nodejs npm)
    if [ ${#missing[@]} -gt 0 ]; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
    fi
    # The packages of TypeScript want Node 20; some systems have an older one.
    if [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 20 ]; then
        [ -d "$home/node" ] || npm install --silent --no-fund --no-audit --prefix "$home/node" node@22
        PATH=$home/node/node_modules/node/bin:$PATH
    fi
}

# Runs an install when the file that lists its versions has changed: `once LIST COMMAND...`.
once() {
    local list=$1 stamp
    shift
    stamp=$home/$(echo "$list" | tr / -).installed
    if ! cmp -s "$list" "$stamp"; then
        "$@"
        cp "$list" "$stamp"
    fi
}

install_python() {
    rm -rf "$home/python"
    python3 -m venv "$home/python"
    "$home/python/bin/pip" install --quiet --disable-pip-version-check -r clients/python/requirements.txt
    "$home/python/bin/pip" install --quiet --disable-pip-version-check --no-deps -e clients/python
}

# A package over the client of Python, in an environment of its own: `install_over NAME`.
install_over() {
    rm -rf "${home:?}/$1"
    python3 -m venv "$home/$1"
    "$home/$1/bin/pip" install --quiet --disable-pip-version-check -r "clients/$1/requirements.txt"
    "$home/$1/bin/pip" install --quiet --disable-pip-version-check --no-deps \
        -e clients/python -e "clients/$1"
}

install_typescript() {
    npm ci --silent --no-fund --no-audit --prefix clients/typescript
}

# Runs a suite and prints the lines that match, of which there must be one: `suite PATTERN
# COMMAND...`. Prints everything when it fails.
suite() {
    local pattern=$1
    shift
    if ! "$@" >"$home/suite.log" 2>&1 || ! grep -E "$pattern" "$home/suite.log"; then
        cat "$home/suite.log"
        return 1
    fi
}

serve() {
    data=$(mktemp -d)
    "$target/debug/tenure" serve --data "$data" --listen 127.0.0.1:0 >"$home/server.log" 2>&1 &
    server=$!
    trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; rm -rf "$data"' EXIT
    for _ in $(seq 100); do
        TENURE_SERVER=$(sed -n 's/.*serving.*address=\([0-9.:]*\).*/\1/p' "$home/server.log")
        [ -n "$TENURE_SERVER" ] && break
        kill -0 "$server" || { cat "$home/server.log"; exit 1; }
        sleep 0.1
    done
    export TENURE_SERVER
}

say "the server"
need
cargo build --quiet --locked --bin tenure --example quickstart --example questions
once clients/python/requirements.txt install_python
once clients/langgraph/requirements.txt install_over langgraph
once clients/llamaindex/requirements.txt install_over llamaindex
once clients/typescript/package-lock.json install_typescript
serve

say "Rust"
suite '^in 2022: Ann works_at Acme$' "$target/debug/examples/quickstart"
suite '^recalled: I have been at Zeno since 2022.$' "$target/debug/examples/questions"

say "Python"
cd clients/python
suite '^Success' "$home/python/bin/mypy" --cache-dir "$home/mypy"
suite ' passed' "$home/python/bin/python" -m pytest -q -o "cache_dir=$home/pytest"
cd ../..

for package in langgraph llamaindex; do
    say "Python, $package"
    cd "clients/$package"
    suite '^Success' "$home/$package/bin/mypy" --cache-dir "$home/mypy-$package"
    suite ' passed' "$home/$package/bin/python" -m pytest -q -o "cache_dir=$home/pytest-$package"
    cd ../..
done

say "TypeScript"
cd clients/typescript
npm run --silent build
suite '^ℹ (pass|skipped)|^﹣' npm test --silent
