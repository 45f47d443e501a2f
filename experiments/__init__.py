"""The rivals of the paper's models, and studies of them, ``python -m experiments COMMAND``; see README.md in this
folder."""
