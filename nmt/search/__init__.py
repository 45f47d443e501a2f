"""Searches over any model that predicts one token at a time (``Stepwise``). They see ids, no strings.

The steps of a search compute alpha. It is never computed again. The way of alpha from a step to the translation:

    step       ``Stepwise.step`` (nmt.model.steps.DecodingSteps._attend) -> ``Step.alpha``, [rows, T_x], a row for each
               hypothesis
    history    ``BeamLines.advance`` -> ``History.add``: the rows of one step, each with its parent
    candidate  ``History.trace`` -> ``Candidate.alpha``, [T_y, T_x], of one finished output, without padding
    alignment  nmt.inference.text_codec.hypothesis -> ``Hypothesis.alignment``: the rows with their tokens
"""
