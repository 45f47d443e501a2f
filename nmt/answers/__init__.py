"""Answers to requests: looked up in memory, among those that come with the program and on disk, or else computed, once
for all who wait, with progress and a way to cancel.

    request.py       what is asked for: a task with its key, its stored result and how it is done; progress
    service.py       the way of a task to its answer, in the foreground or as one of the background jobs
    shared_queue.py  work that the items of many join while it is under way; the lock: pages before background jobs
    keys.py          names of answers: all that determines them
    translations.py  translations and scores by key, in a store (store.py: one SQLite file), as bytes
    shipped.py       answers that come with the program (stored/), of the sentences of sentences.toml
    cached.py        what a model computes: translations or scores that are missing
    shared_search.py a search shared by all who wait for the same model and settings

Only the last two import torch.
"""
