"""The pages of the app. No other package of nmt imports Streamlit. Torch is imported at the first translation."""
