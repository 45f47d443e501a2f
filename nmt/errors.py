"""The one error that is meant for the person at the keyboard."""


class InputError(ValueError):
    """Something the user gave cannot be used; the message is one plain sentence that says what and where.

    The commands print it and exit with status 2, the pages show it in place of a result. Anything else that
    is raised is a fault of the program and keeps its traceback.
    """
