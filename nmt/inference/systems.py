"""Whatever can translate, by its folder."""

from nmt.errors import InputError
from nmt.inference.hugging_face import load_hugging_face
from nmt.inference.system import System
from nmt.inference.translator import load
from nmt.results import Languages
from nmt.runs.folder import is_hugging_face


def open_system(
    folder: str, device: str = "cpu", precision: str | None = None, languages: Languages | None = None
) -> System:
    """Load a run or a folder of Hugging Face, which is searched in fp32.

    ``languages``: of a folder of Hugging Face that does not say them, as it calls them. InputError as of ``load`` and
    ``load_hugging_face``, and for a precision or languages that do not apply.
    """
    if is_hugging_face(folder):
        if precision not in (None, "fp32"):
            raise InputError(f"{folder} is a folder of Hugging Face, which is searched in fp32, not in {precision}")
        return load_hugging_face(folder, device, languages)
    if languages is not None:
        raise InputError(f"--languages is for a folder of Hugging Face: {folder} is a run, which knows its languages")
    return load(folder, device=device, precision=precision)
