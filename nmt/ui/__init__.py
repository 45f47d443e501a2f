"""The pages of the app: the only package of nmt that imports Streamlit. Nothing here imports torch by
itself; the first translation does."""
