"""How it works: one word of a translation step by step, the beam, and what alpha is not."""
