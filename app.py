"""The app's entrance, `streamlit run app.py`: hands over to the page that the address asks for."""

from nmt.ui.app_shell import run_app

run_app()
