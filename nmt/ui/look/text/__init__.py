"""Whole texts and files on the page "Translate": cut into sentences, translated in the background, put together
again."""
