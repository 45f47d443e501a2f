#!/usr/bin/env bash
# Builds nmt/page/engine.wasm from nmt/native/engine.c; only who changes that file needs it. Debian: clang, lld.
# The checksum of the source goes into a section of its own, and a test holds both together.
set -euo pipefail
cd "$(dirname "$0")/../nmt/page"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang --target=wasm32 -O3 -msimd128 -mbulk-memory -ffreestanding -fno-math-errno -fno-trapping-math -ffp-contract=off -fvisibility=hidden \
  -Wall -Wextra -Werror -c -o "$work/engine.o" ../native/engine.c
wasm-ld --no-entry --import-memory --allow-undefined --strip-all -z stack-size=1048576 \
  --export=search --export=end_search --export=pack --export=__heap_base -o engine.wasm "$work/engine.o"
python3 - <<'PYTHON'
import hashlib
import pathlib

name, digest = b"source", hashlib.sha256(pathlib.Path("../native/engine.c").read_bytes()).hexdigest().encode()
with pathlib.Path("engine.wasm").open("ab") as file:
    file.write(bytes([0, 1 + len(name) + len(digest), len(name)]) + name + digest)
PYTHON
