"""A page that translates: one HTML file with the weights of one or more runs, which needs no server and no network.

Python collects the runs and writes the file (payload.py, document.py); JavaScript in ``js/`` tokenises, encodes,
searches and draws. It is tested against the Python that it follows; the views are the app's own.
"""

from nmt.page.document import page_html
from nmt.page.payload import BEAM, Payload, collect
