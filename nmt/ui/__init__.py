"""The pages of the app. No other package of nmt imports Streamlit. Importing a page does not import torch: the first
translation does."""
