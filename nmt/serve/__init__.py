"""HTTP service of trained runs and aligners: JSON in, JSON out (docs/service.md). Needs the extra ``serve``."""
