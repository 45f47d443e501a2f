"""``phrase-features``: the steps of the experiment of Cho et al. (2014)."""

from experiments.phrase_features import language_model, lists, phrases, rows
from nmt.cli.options import Commands


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "phrase-features",
        description="The experiment of Cho et al. (2014): RNNencdec's scores of phrases and a feed-forward language "
        "model beside a phrase-based system.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="STEP")
    for module in (lists, language_model, phrases, rows):
        module.register(actions)
