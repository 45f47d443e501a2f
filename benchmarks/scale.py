"""What more than one process brings, and what a large corpus needs (docs/scale.md): three measurements.

    python -m benchmarks.scale workers checkpoints/rnnsearch-en-fr   # sentences a second by workers, cost of a shard
    python -m benchmarks.scale replicas checkpoints/rnnsearch-50     # two services behind nginx, one killed under load
    python -m benchmarks.scale folder data/mine --times 100 --limit 2000   # a training from a folder larger than memory

``replicas`` needs nginx; ``folder`` needs Linux, root and cgroups of version 1. One JSON object on stdout.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.load import free_port
from nmt.data.prepared import MANIFEST, Prepared, ids_path, offsets_path, open_prepared
from nmt.files import write_json
from nmt.records import to_data

ROOT = Path(__file__).resolve().parents[1]
_SENTENCES = (ROOT / "testsets/jointly-300/sentences.en").read_text(encoding="utf-8").split("\n")[:-1]
_JOINTLY = (sys.executable, "-m", "nmt")


def workers(run: Path, times: int, repeats: int) -> dict[str, Any]:
    """Translate the sentences of jointly-300, so many times over, in shards of 300, by one process and by one and two
    workers, in turns; and in shards of 30, whose cost above the others' is that of a shard. Best of the repeats."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = folder / "text"
        text.write_text("".join(f"{line}\n" for line in _SENTENCES * times), encoding="utf-8")
        for lines in (300, 30):
            _run("shard", str(text), "--lines", str(lines), "--out", str(folder / f"shards-{lines}"))
        for _ in range(repeats):
            for label, lines, more in (
                ("one process", 300, []),
                ("one process, shards of 30", 30, []),
                ("1 worker", 300, ["--workers", "1"]),
                ("2 workers", 300, ["--workers", "2"]),
            ):
                shards = folder / f"shards-{lines}"
                began = time.monotonic()
                _run("translate", str(run), "--shards", str(shards), *more)
                found[label] = min(found.get(label, 1e9), time.monotonic() - began)
                for work in shards.glob("translate-*"):
                    shutil.rmtree(work)
    sentences = 300 * times
    more_shards = sentences / 30 - sentences / 300
    return {
        "run": run.name,
        "sentences": sentences,
        "seconds": {label: round(seconds, 2) for label, seconds in found.items()},
        "sentences_per_second": {label: round(sentences / seconds, 1) for label, seconds in found.items()},
        "seconds_a_shard": round((found["one process, shards of 30"] - found["one process"]) / more_shards, 4),
    }


def _run(*arguments: str) -> None:
    subprocess.run([*_JOINTLY, *arguments], check=True, capture_output=True, cwd=ROOT)


_NGINX = """
pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1; daemon off;
events {{ worker_connections 256; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  upstream jointly {{ least_conn; {servers} }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://jointly; proxy_set_header Host 127.0.0.1; proxy_read_timeout 120s; proxy_connect_timeout 2s;
      proxy_next_upstream error timeout http_503 http_429 non_idempotent; proxy_next_upstream_tries 2;
    }}
  }}
}}
"""


def replicas(run: Path, seconds: float, clients: int) -> dict[str, Any]:
    """Ask two services through nginx; in the middle kill one with SIGKILL, start it again, and end the other one with
    SIGTERM. Every answer counts by its status."""
    statuses: Counter[str] = Counter()
    ports = [free_port(), free_port()]
    front, ended = free_port(), threading.Event()

    def serve(port: int) -> subprocess.Popen[bytes]:
        command = [*_JOINTLY, "serve", str(run), "--port", str(port)]
        process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 120
        while _status(f"http://127.0.0.1:{port}/health", None) != "200":
            assert time.monotonic() < until, "the service does not start"
            time.sleep(0.2)
        return process

    def client(number: int) -> None:
        for turn in range(number, 10**9, clients):
            if ended.is_set():
                return
            body = json.dumps({"sentences": [_SENTENCES[turn % len(_SENTENCES)]]}).encode()
            statuses[_status(f"http://127.0.0.1:{front}/translate", body)] += 1

    with tempfile.TemporaryDirectory() as name:
        servers = " ".join(f"server 127.0.0.1:{port} max_fails=1 fail_timeout=1s;" for port in ports)
        configuration = Path(name) / "nginx.conf"
        configuration.write_text(_NGINX.format(folder=name, servers=servers, port=front))
        services = [serve(port) for port in ports]
        proxy = subprocess.Popen(["nginx", "-c", str(configuration), "-p", name], stderr=subprocess.DEVNULL)
        time.sleep(1)
        threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
        for thread in threads:
            thread.start()
        time.sleep(seconds / 3)
        services[0].kill()
        time.sleep(seconds / 6)
        services[0] = serve(ports[0])
        time.sleep(seconds / 6)
        services[1].send_signal(signal.SIGTERM)
        time.sleep(seconds / 3)
        ended.set()
        for thread in threads:
            thread.join()
        for process in (proxy, *services):
            process.terminate()
            process.wait()
    return {"run": run.name, "clients": clients, "seconds": seconds, "answers": dict(statuses)}


def _status(address: str, body: bytes | None) -> str:
    request = urllib.request.Request(address, data=body, headers={"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=130) as answer:
            answer.read()
            return str(answer.status)
    except urllib.error.HTTPError as error:
        return str(error.code)
    except OSError as error:
        return type(error).__name__


def folder(prepared: Path, times: int, limit: int) -> dict[str, Any]:
    """Train 400 updates from a prepared folder, and from one with its training pairs so many times over, in as much
    memory as given, in 10^6 bytes, page cache included; compare words a second of the last 200, and peak memory. The
    recipe is the smallest one, so that reading has the largest part in an update."""
    found = {}
    with tempfile.TemporaryDirectory(dir=prepared.parent) as name:
        large = enlarged(open_prepared(prepared), Path(name) / "large", times)
        for label, data in (("as it is", prepared), ("larger", large)):
            run = Path(name) / label.replace(" ", "-")
            settings = ["max_updates=400", "log_every=200", "validate_every=1000000", "save_every=1000000"]
            settings += ["validate_bleu=false"]
            command = [*_JOINTLY, "train", "grammar_ko", "--data", str(data), "--run", str(run), "--json"]
            command += [word for setting in settings for word in ("--set", f"training.{setting}")]
            found[label] = _within(command, limit) | {
                "megabytes": round(sum(path.stat().st_size for path in data.iterdir()) / 1e6)
            }
    return {"times": times, "limit": limit, "trainings": found}


def enlarged(prepared: Prepared, out: Path, times: int) -> Path:
    """Copy a prepared folder with each training pair so many times; the pairs of a corpus stay together."""
    shutil.copytree(prepared.folder, out)
    manifest, train = prepared.manifest, prepared.manifest.train
    bounds = np.cumsum([0, *(corpus.kept for corpus in train.corpora)])
    for side in ("source", "target"):
        offsets = np.load(offsets_path(out, "train", side))
        ids = np.fromfile(ids_path(out, "train", side), np.uint16)
        parts, total = [np.zeros(1, np.int64)], 0
        with ids_path(out, "train", side).open("wb") as file:
            for first, last in pairwise(bounds):
                own = ids[offsets[first] : offsets[last]]
                for _ in range(times):
                    own.tofile(file)
                    parts.append(offsets[first + 1 : last + 1] - offsets[first] + total)
                    total += len(own)
        np.save(offsets_path(out, "train", side), np.concatenate(parts))
    for array in ("word_lengths", "repeats"):
        values = np.load(out / f"train.{array}.npy")
        split = [np.tile(values[first:last], times) for first, last in pairwise(bounds)]
        np.save(out / f"train.{array}.npy", np.concatenate(split))
    corpora = tuple(dataclasses.replace(one, kept=one.kept * times, read=one.read * times) for one in train.corpora)
    pairs, epoch = train.pairs * times, train.pairs_per_epoch * times
    record = dataclasses.replace(train, pairs=pairs, pairs_per_epoch=epoch, corpora=corpora)
    files = {
        path.name: {"bytes": path.stat().st_size, "sha256": manifest.files[path.name].sha256}
        for path in out.iterdir()
        if path.name != MANIFEST
    }
    write_json(out / MANIFEST, to_data(dataclasses.replace(manifest, train=record)) | {"files": files})
    return out


def _within(command: list[str], limit: int) -> dict[str, float]:
    """Run a training within a limit of memory; returns its words a second and its peak, in 10^6 bytes."""
    group = Path(f"/sys/fs/cgroup/memory/jointly-{os.getpid()}")
    group.mkdir()
    try:
        (group / "memory.limit_in_bytes").write_text(str(limit * 10**6))
        process = subprocess.Popen(
            ["sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh", *command],
            cwd=ROOT,
            stdout=subprocess.PIPE,
        )
        out, _ = process.communicate()
        assert process.returncode == 0, f"status {process.returncode}"
        memory = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        peak = int((group / "memory.max_usage_in_bytes").read_text())
    finally:
        group.rmdir()
    events = [json.loads(line) for line in out.splitlines()]
    rates = [event["words_per_second"] for event in events if event["event"] == "update"]
    return {"words_per_second": round(rates[-1]), "peak": round(peak / 1e6), "cache": round(int(memory["cache"]) / 1e6)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    measurements = parser.add_subparsers(required=True)
    one = measurements.add_parser("workers")
    one.add_argument("run", type=Path)
    one.add_argument("--times", type=int, default=4)
    one.add_argument("--repeats", type=int, default=3)
    one.set_defaults(measure=workers)
    one = measurements.add_parser("replicas")
    one.add_argument("run", type=Path)
    one.add_argument("--seconds", type=float, default=60)
    one.add_argument("--clients", type=int, default=8)
    one.set_defaults(measure=replicas)
    one = measurements.add_parser("folder")
    one.add_argument("prepared", type=Path)
    one.add_argument("--times", type=int, default=100)
    one.add_argument("--limit", type=int, default=1500)
    one.set_defaults(measure=folder)
    options = vars(parser.parse_args())
    print(json.dumps(options.pop("measure")(**options), indent=2))


if __name__ == "__main__":
    main()
