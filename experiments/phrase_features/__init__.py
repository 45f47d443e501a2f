"""The experiment of Cho et al. (2014): does a phrase-based system gain by RNNencdec's scores of its phrases, and by a
feed-forward language model (Schwenk 2007)?

``phrases`` draws what RNNencdec is trained on, ``language_model`` is Schwenk's, ``lists`` makes the best translations
of each sentence, and ``rows`` adds the features, tunes the weights and prints the rows (docs/paper.md, Cho et al.).
"""
