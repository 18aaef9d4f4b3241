#!/usr/bin/env bash
# Checks types, runs the tests, and installs the wheel into an empty environment. Needs Debian's python3-pytest, mypy,
# python3-hatchling and python3-venv, and Node for the scripted server (run it as `npm run test:python`).
set -euo pipefail
cd "$(dirname "$0")"
python=${PYTHON:-/usr/bin/python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m mypy --cache-dir "$work/mypy" src tests
"$python" -m pytest -q -p no:cacheprovider

"$python" -m hatchling build -t wheel -d "$work" >/dev/null
"$python" -m venv "$work/project"
"$work/project/bin/pip" install -q --no-index --disable-pip-version-check "$work"/*.whl
cd "$work"
project/bin/python - <<'CHECK'
import importlib.metadata, pathlib, brickmark
assert brickmark.__version__ == importlib.metadata.version("brickmark"), "versions differ"
assert (pathlib.Path(brickmark.__file__).parent / "py.typed").exists(), "py.typed is missing"
print(f"wheel {brickmark.__version__} installed and imported")
CHECK
