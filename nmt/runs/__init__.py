"""Run folders: settings, events, weights' headers, provenance, archives. Nothing here imports torch."""
