"""Texts that Python writes into the page; those that its scripts write are in js/strings.js."""

ABOUT = (
    "{kinds} (Bahdanau, Cho, Bengio 2014) at work in this page: the sentence stays on this device, and no network is "
    "needed."
)
KINDS = {"rnnsearch": "RNNsearch", "rnnencdec": "RNNencdec"}
BOTH_KINDS = "RNNsearch and RNNencdec"

# Where page.html names them
TEXTS = {
    "sentence": "Sentence",
    "translate": "Translate",
    "examples": "Examples",
    "checkpoints": "Checkpoints",
    "beam": "Beam",
    "unpacking": "The weights are being unpacked.",
    "translations": "Translations",
    "save": "Save picture",
    "weights": "Weights",
    "trained_on": "Trained on",
    "no_script": "This page computes its translations in JavaScript, which is switched off here.",
    "program": (
        "The program is Jointly, copyright (c) 2026 Jointly contributors, under the MIT licence. Its rules of "
        "tokenisation are those of Moses, after sacremoses (MIT licence)."
    ),
}
RUN = "{name}: {source_language} to {target_language}, {parameters:,} weights of 8 bits, SHA-256 {sha256}"
