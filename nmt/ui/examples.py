"""Sentences to start from: everyday speech, captions of pictures, the language of the law."""

EXAMPLES = (
    "Where did you put the keys of my car?",
    "She told me that she has never seen the sea.",
    "A girl in a red coat is feeding two white ducks beside a lake.",
    "Three men carry a long wooden table up the stairs.",
    "The Minister may cancel a licence if its holder has not paid the annual fee.",
    "If the owner of a boat does not answer within thirty days after receiving the notice, the Board may "
    "remove the boat at the owner's expense and sell everything that was found on board.",
)
