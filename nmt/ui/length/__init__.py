"""The place Length: scores over sentence length, and the stress test."""
