"""The place Learn: how a model works, and how it learned."""
