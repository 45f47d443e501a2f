"""The place Length: scores over sentence length, and sentences put together."""
