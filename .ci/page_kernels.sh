#!/usr/bin/env bash
# Builds nmt/page/kernels.wasm from kernels.c; only who changes that file needs it. Debian: clang, lld.
# The checksum of the source goes into a section of its own, and a test holds both together.
set -euo pipefail
cd "$(dirname "$0")/../nmt/page"
clang --target=wasm32 -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -msimd128 -ffreestanding -nostdlib -fno-math-errno -Wall -Wextra -Werror \
  -Wl,--no-entry,--import-memory,--strip-all,-z,stack-size=4096 -o kernels.wasm kernels.c
python3 - <<'PYTHON'
import hashlib
import pathlib

name, digest = b"source", hashlib.sha256(pathlib.Path("kernels.c").read_bytes()).hexdigest().encode()
with pathlib.Path("kernels.wasm").open("ab") as file:
    file.write(bytes([0, 1 + len(name) + len(digest), len(name)]) + name + digest)
PYTHON
