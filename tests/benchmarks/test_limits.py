import torch

from benchmarks.limits import measure_limits, peak


def test_every_limit_is_measured_and_the_peak_is_the_fastest_product() -> None:
    limits = measure_limits(torch.device("cpu"), square=16)
    assert all(value > 0 for value in limits.values())
    for precision in ("fp32", "bf16"):
        gemms = [value for name, value in limits.items() if name.startswith("gemm") and precision in name]
        assert len(gemms) >= 1
        assert peak(limits, precision) == 1e9 * max(gemms)
