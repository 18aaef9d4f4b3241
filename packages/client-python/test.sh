#!/usr/bin/env bash
# Checks style and types, runs the tests, and installs the wheel into an empty environment. Needs Debian's python3-pytest,
# python3-httpx, mypy, python3-hatchling and python3-venv, and Node for the scripted server, Ruff and Pyright (run it as
# `npm run test:python`).
set -euo pipefail
cd "$(dirname "$0")"
python=${PYTHON:-/usr/bin/python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

node ../../tools/checks/ruff.ts .
"$python" -m mypy --cache-dir "$work/mypy" src tests
pyright --pythonpath "$python"
"$python" -m pytest -q -p no:cacheprovider

"$python" -m hatchling build -t wheel -d "$work" >/dev/null
"$python" -m venv "$work/project"
"$work/project/bin/pip" install -q --no-index --disable-pip-version-check "$work"/*.whl
node --input-type=module -e "
  import { writeFileSync } from 'node:fs'
  import { buildWheel } from '$PWD/../../apps/docs/downloads/wheel.ts'
  writeFileSync('$work/downloaded.zip', buildWheel().bytes)"
cd "$work"
project/bin/python - <<'CHECK'
import glob, importlib.metadata, pathlib, zipfile, brickmark
distribution = importlib.metadata.distribution("brickmark")
assert brickmark.__version__ == distribution.version, "versions differ"
assert (pathlib.Path(brickmark.__file__).parent / "py.typed").exists(), "py.typed is missing"
files = [str(file) for file in distribution.files]
assert any(file.endswith("LICENSE") for file in files), "LICENSE is missing"
urls = distribution.metadata.get_all("Project-URL")
assert sorted(url.split(",")[0] for url in urls) == ["Changelog", "Documentation", "Issues", "Source"], urls
# The docs offer a wheel that Hatchling didn't build.
released, downloaded = (zipfile.ZipFile(path) for path in (glob.glob("*.whl")[0], "downloaded.zip"))
assert released.namelist() == downloaded.namelist(), downloaded.namelist()
for name in released.namelist():
    if not name.endswith(("/WHEEL", "/RECORD")):  # They name the tool.
        assert released.read(name) == downloaded.read(name), f"{name} differs"
print(f"wheel {brickmark.__version__} installed and imported without httpx")
CHECK
# Every type that users of the wheel see is known.
PATH="$work/project/bin:$PATH" pyright --ignoreexternal --verifytypes brickmark | grep score
