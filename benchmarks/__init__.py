"""Speed against other programs, measured in one run; see README.md in this folder."""
