"""What the results were measured on."""

from dataclasses import asdict

from nmt.training.machine import machine


def describe_machine(cores: int, threads: int) -> dict[str, str | int]:
    """Processor, memory in GB, operating system, Python; ``cores`` and ``threads`` as they were used."""
    return asdict(machine()) | {"cores": cores, "threads": threads}
