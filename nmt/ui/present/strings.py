"""Texts of the presentation. A template has named fields."""

from nmt.language import translated

HOW = "How it works: one word"
TOGETHER = "Concatenated sentences, one more at a time"
FIGURE_2 = "The question of Figure 2, asked with concatenated sentences"
BLACK = "The end"
SCENE = "scene"
BACK = "Back"
NEXT = "Next"
PLACE = "Scene {number} of {total}"
STEP = ", step {step} of {steps}"
OPEN_IT = "Open it yourself"
END = "End"
LOCAL_ONLY = "Only this machine can reach this server. `make app HOST=0.0.0.0` opens it to your network."

translated(__name__)
