"""What the maintainers of Jointly need for a release, ``python -m release COMMAND``; see README.md in this folder."""
