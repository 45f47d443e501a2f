"""A reader of the app without a browser: the place Look over Streamlit's websocket, as the browser speaks it."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from types import TracebackType
from urllib.parse import urlencode, urlsplit

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets import Subprotocol
from websockets.sync.client import ClientConnection, connect

_ASKED = "$$STREAMLIT_INTERNAL_KEY_{id}__events"
"""What Streamlit calls the requests of a component, by the component's own name."""


class AppError(RuntimeError):
    """The app answered with an exception, an error message, or not in time."""


@dataclass(frozen=True, kw_only=True)
class PageAnswer:
    """Answer of the page to one sentence.

    Attributes:
        texts: translation by checkpoint.
        seconds: from sending the sentence to the last translation.
    """

    texts: dict[str, str]
    seconds: float


class AppSession:
    """A session on the place Look, open until it is closed.

    Args:
        address: of the server, such as http://127.0.0.1:8501.
        checkpoints: names of the checkpoints to compare.
        beam: beam of the search.
        patience: seconds after which an answer that has not come is an AppError.
    """

    def __init__(self, address: str, checkpoints: Sequence[str], beam: int, patience: float = 300) -> None:
        self._checkpoints, self._patience = tuple(checkpoints), patience
        self._query = urlencode({"models": list(checkpoints), "beam": beam}, doseq=True)
        self._sentence_box = ""
        with ExitStack() as stack:
            stream = f"ws://{urlsplit(address).netloc}/_stcore/stream"
            opened = connect(  # no bound of messages: as a browser does, it takes them even if nobody reads them
                stream, subprotocols=[Subprotocol("streamlit")], max_size=None, max_queue=None
            )
            self._connection: ClientConnection = stack.enter_context(opened)
            self._rerun("")
            self._read(time.monotonic() + patience, wanted=())
            if not self._sentence_box:
                raise AppError("the place Look has no field for a sentence")
            self._closing = stack.pop_all()

    def translate(self, sentence: str, patience: float | None = None) -> PageAnswer:
        """Type a sentence, and wait for the translations of all checkpoints; ``patience``: seconds to wait, in place of
        the session's. Raises AppError."""
        began = time.monotonic()
        self._rerun(sentence)
        shown = self._read(began + (self._patience if patience is None else patience), wanted=self._checkpoints)
        return PageAnswer(texts=shown.texts, seconds=shown.last - began)

    def begin(self, sentence: str) -> None:
        """Type a sentence, and wait until the page shows a bar of its work: that it waits for its turn, or is being
        translated. Raises AppError if the page ends before."""
        self._rerun(sentence)
        until = time.monotonic() + self._patience
        while True:
            message = self._receive(until)
            if message.WhichOneof("type") == "script_finished":
                raise AppError("the page ended without a bar of its work")
            if message.WhichOneof("type") == "delta":
                self._show(message, _Shown({}, 0.0))
                if message.delta.new_element.WhichOneof("type") == "progress":
                    return

    def is_over(self) -> bool:
        """Tell if the page has ended since ``begin``."""
        with suppress(AppError):
            while self._receive(time.monotonic()).WhichOneof("type") != "script_finished":
                pass
            return True
        return False

    def close(self) -> None:
        self._closing.close()

    def __enter__(self) -> AppSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _rerun(self, sentence: str) -> None:
        message = BackMsg()
        message.rerun_script.query_string = self._query
        if sentence:
            asked = {"id": sentence, "kind": "translate", "typed": sentence, "again": False}
            states = message.rerun_script.widget_states.widgets
            states.add(id=self._sentence_box, json_value="{}")
            trigger = json.dumps([{"event": "ask", "value": asked}])
            states.add(id=_ASKED.format(id=self._sentence_box), json_trigger_value=trigger)
        self._connection.send(message.SerializeToString())

    def _read(self, until: float, wanted: Sequence[str]) -> _Shown:
        """Read messages until the script has ended, and the translations in them."""
        shown = _Shown({}, time.monotonic())
        while True:
            message = self._receive(until)
            kind = message.WhichOneof("type")
            if kind == "delta":
                self._show(message, shown)
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                if missing := [name for name in wanted if name not in shown.texts]:
                    raise AppError(f"the page ended without a translation by {', '.join(missing)}")
                return shown

    def _receive(self, until: float) -> ForwardMsg:
        try:
            data = self._connection.recv(timeout=max(0.0, until - time.monotonic()))
        except TimeoutError:
            raise AppError("no answer in time") from None
        message = ForwardMsg()
        message.ParseFromString(data)
        return message

    def _show(self, message: ForwardMsg, shown: _Shown) -> None:
        element = message.delta.new_element
        what = element.WhichOneof("type")
        if what == "exception":
            raise AppError(f"{element.exception.type}: {element.exception.message}")
        if what == "alert" and element.alert.format == Alert.ERROR:
            raise AppError(element.alert.body)
        if what == "bidi_component":
            data = json.loads(element.bidi_component.json or "{}")
            if data.get("field"):
                self._sentence_box = element.bidi_component.id
            record = data.get("record") or {}
            for system in record.get("systems", ()):
                shown.texts[system["name"]] = system["text"]
                shown.last = time.monotonic()


@dataclass
class _Shown:
    """What a run of the page has shown so far: translations by checkpoint, time of the last one."""

    texts: dict[str, str]
    last: float
