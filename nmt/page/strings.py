"""Texts that stand in the file of a page from the start; what its JavaScript writes is in js/strings.js."""

KINDS = {"rnnsearch": "RNNsearch", "rnnencdec": "RNNencdec"}
BOTH_KINDS = "RNNsearch and RNNencdec"
ABOUT = (
    "{kinds} (Bahdanau, Cho, Bengio 2014) at work in this page: the sentence stays on this device, and no network is "
    "needed."
)

# The form: fields of page.html
FORM = {
    "sentence": "Sentence",
    "translate": "Translate",
    "examples": "Examples",
    "checkpoints": "Checkpoints",
    "beam": "Beam",
    "translating": "Translating",
    "unpacking": "The weights are being unpacked.",
    "translations": "Translations",
    "save": "Save picture",
    "no_script": "This page computes its translations in JavaScript, which is switched off here.",
}

# Below the translations
WEIGHTS = "Weights"
RUN = "{name}: {source} to {target}, {parameters:,} weights of 8 bits, SHA-256 {sha256}"
TRAINED_ON = "Trained on"
PROGRAM = (
    "The program is Jointly, copyright (c) 2026 Jointly contributors, under the MIT licence. Its rules of tokenisation "
    "are those of Moses, after sacremoses (MIT licence)."
)
