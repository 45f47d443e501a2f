"""Build of the package; everything else is in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class FreshBuild(build_py):
    """Copies the modules into an empty folder, so that none that has been renamed since the last build is installed."""

    def run(self) -> None:
        if Path(self.build_lib).is_dir() and not self.editable_mode:
            shutil.rmtree(self.build_lib)
        super().run()


setup(cmdclass={"build_py": FreshBuild})
