"""Run folders: settings, events, headers of weights files, provenance, archives. No module here imports torch."""
