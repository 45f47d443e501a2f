"""Facts to cite a figure of an alignment and to draw it again, for metadata of files and for LaTeX."""

from dataclasses import asdict, dataclass

from nmt.config import SearchSettings
from nmt.files import in_latex
from nmt.texts import CHARTS


@dataclass(frozen=True, kw_only=True)
class Citation:
    """Facts that are needed to cite and to remake a figure.

    Attributes:
        target: the typed target, or "" for the checkpoint's own translation.
        own: default settings of the checkpoint. ``command`` names only settings that differ from these.
        values: name of the values, such as "alignment weights alpha".
        redrawable: whether ``command`` draws the figure. False for values other than alpha.
    """

    checkpoint: str
    weights_sha256: str
    update: int
    sentence: str
    target: str
    translation: str
    search: SearchSettings
    own: SearchSettings
    precision: str
    values: str
    redrawable: bool = True

    @property
    def command(self) -> str:
        """Python code that draws the figure again if it runs in the folder of this repository."""
        run = f"checkpoints/{self.checkpoint}"
        if self.target:
            alignment = f"nmt.load({run!r}).align({self.sentence!r}, {self.target!r})"
        else:
            settings = asdict(self.own)
            changed = "".join(
                f", {key}={value!r}" for key, value in asdict(self.search).items() if value != settings[key]
            )
            alignment = f"nmt.load({run!r}, precision={self.precision!r}).translate({self.sentence!r}{changed})"
        return f'import nmt\nnmt.heatmap({alignment}).save("alignment.pdf")'

    @property
    def signature(self) -> str:
        """One line for the metadata of a file."""
        search = self.search
        target = (
            "typed"
            if self.target
            else f"own|beam:{search.beam}|lp:{search.length_penalty:g}|precision:{self.precision}"
        )
        unknown = "no" if search.no_unk else search.replace_unk or "kept"
        return (
            f"Jointly|run:{self.checkpoint}|update:{self.update}|weights:{self.weights_sha256}|values:{self.values}|"
            f"target:{target}|unk:{unknown}"
        )

    @property
    def about(self) -> str:
        """Text for the metadata of a file: the signature, and the command if the figure is redrawable."""
        return f"{self.signature}\n{self.command}" if self.redrawable else self.signature

    def latex(self, file: str = "alignment.pdf") -> str:
        """A figure environment with caption and alternative text."""
        caption = CHARTS.latex_caption.format(
            values=self.values[:1].upper() + self.values[1:],
            checkpoint=in_latex(self.checkpoint),
            weights=self.weights_sha256[:12],
            beam=self.search.beam,
            sentence=in_latex(self.sentence),
            translation=in_latex(self.translation),
        )
        alternative = in_latex(CHARTS.latex_alternative.format(values=self.values))
        return (
            "\\begin{figure}\n  \\centering\n"
            f"  \\includegraphics[width=\\linewidth,alt={{{alternative}}}]{{{file}}}\n"
            f"  \\caption{{{caption}}}\n"
            f"  \\label{{fig:alignment}}\n\\end{{figure}}"
        )
