"""Answers to requests. An answer is looked up in memory, among the shipped answers and on disk. Otherwise it is
computed once for all users that wait, with progress and a way to cancel.

    request.py       the interface of a task: its key, its stored result, its work, its progress
    service.py       runs a task in the foreground or as a background job
    shared_queue.py  a queue of items from many users, and a lock that lets pages go before background jobs
    keys.py          keys of answers, with all that determines an answer
    translations.py  translations and scores by key, stored as bytes (store.py: one SQLite file)
    shipped.py       answers that come with the program (stored/), for the sentences of sentences.toml
    searches.py      translates or scores sentences that the cache lacks. Users with the same settings share a search
    uploads.py       texts that users upload, by hash

Only searches.py imports torch.
"""
