"""The app's side of the house: the only part of nmt that imports Streamlit. Nothing here imports torch by
itself; the first translation does."""
