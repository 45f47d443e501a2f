import pytest
import torch

from benchmarks.limits import has_bf16, measure_limits, peak
from benchmarks.workers.jointly import Jointly


def test_every_limit_is_measured_and_the_peak_is_the_fastest_product() -> None:
    limits = measure_limits(torch.device("cpu"), square=16)
    assert all(value > 0 for value in limits.values())
    for precision in ("fp32", "bf16") if has_bf16(torch.device("cpu")) else ("fp32",):
        gemms = [value for name, value in limits.items() if name.startswith("gemm") and precision in name]
        assert len(gemms) >= 1
        assert peak(limits, precision) == 1e9 * max(gemms)


def test_a_processor_without_bf16_is_not_asked_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """There it is computed in a loop, which would take minutes."""
    monkeypatch.setattr("torch.ops.mkldnn._is_mkldnn_bf16_supported", lambda: False)
    worker = Jointly.__new__(Jointly)
    worker.device = torch.device("cpu")
    assert worker.precisions("train") == ["fp32"]
    assert worker.precisions("decode") == ["fp32", "int8"]
    assert not any("bf16" in name for name in measure_limits(worker.device, square=16))
    monkeypatch.setattr("torch.ops.mkldnn._is_mkldnn_bf16_supported", lambda: True)
    assert worker.precisions("decode") == ["fp32", "bf16", "int8"]
