"""What can be said and made of a record ``nmt.results.Alignment``: measures, marks, restriction, difference, links,
files. Computed from the record alone; nothing is drawn, and no model is asked."""
