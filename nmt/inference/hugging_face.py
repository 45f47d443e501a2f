"""A folder of Hugging Face as a system: any encoder-decoder of transformers, with the same searches as a run.

Our ids are those of the folder's vocabulary, but the end-of-sentence token exchanges its id with 0, and the unknown
token with 1. A tokeniser adds special tokens to every sentence (languages, a beginning, the name of a task). Here a
sentence excludes them. ``Steps`` adds them, and counts their weights in the column of the end-of-sentence token.
"""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field
from torch import Tensor

from nmt.config import SearchSettings
from nmt.data.line_words import UNSPACED
from nmt.data.text import Tokenizer, word_spans
from nmt.data.vocabulary import END_ID, SPECIAL, UNK_ID, Encoded
from nmt.errors import InputError
from nmt.inference.system import System
from nmt.inference.text_codec import PaddedTokens, TextCodec
from nmt.inference.text_search import PreparedSteps
from nmt.model import ForcedOutput
from nmt.model.kernels import threads_for
from nmt.results.alignment import PIECE_MARK
from nmt.results.links import numbered_words
from nmt.search.stepwise import AlphaOverride, Step
from nmt.texts import say

HEADS = "alignment_heads"
"""Key of generation_config.json, as in Whisper: the heads whose mean is alpha, [layer, head] from 0."""
Head = tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]]
_PROJECTIONS = ("q_proj", "k_proj", "v_proj", "out_proj", "q", "k", "v", "o")
"""Names of W_q, W_k, W_v and W_o in models like BART and like T5."""
_NUMBERS = 2**25
"""Largest number of probabilities in memory in one pass over given targets."""


@dataclass(frozen=True, kw_only=True)
class Ids:
    """The folder's ids of the source side or the target side.

    Attributes:
        theirs: the folder's id for each of our ids.
        before, after: the special tokens before a sentence and after its end-of-sentence token.
        barred: our ids that no output may contain.
    """

    theirs: Sequence[int]
    before: Sequence[int] = ()
    after: Sequence[int] = ()
    barred: Sequence[int] = ()


class Pieces:
    """The vocabulary of the folder's tokeniser for one side."""

    kind: Literal["unigram"] = "unigram"

    def __init__(self, tokenizer: Any, size: int, side: str) -> None:
        self._tokenizer, self._text = tokenizer, "text" if side == "source" else "text_target"
        self.theirs = list(range(size))
        """The folder's id for each of our ids."""
        unknown = tokenizer.pad_token_id if tokenizer.unk_token_id is None else tokenizer.unk_token_id
        for ours, special in ((END_ID, tokenizer.eos_token_id), (UNK_ID, unknown)):
            at = self.theirs.index(special)
            self.theirs[ours], self.theirs[at] = self.theirs[at], self.theirs[ours]
        self._ours = {their: our for our, their in enumerate(self.theirs)}
        tokens = {id: token for token, id in tokenizer.get_vocab().items()}
        if side == "target":
            tokens |= {id: tokenizer.convert_ids_to_tokens(id) for id in tokens if id < size}
        others = {*tokenizer.all_special_ids, *getattr(tokenizer, "lang_code_to_id", {}).values()}
        written = {their for their in tokens if their not in others}
        self._barred = [our for our, their in enumerate(self.theirs) if our > UNK_ID and their not in written]
        spelled = _bytes() if any(token.startswith("Ġ") for token in tokens.values()) else None
        surfaces = [_surface(tokens.get(their, f"<{their}>"), spelled) for their in self.theirs]
        self._surfaces = (*SPECIAL, *surfaces[len(SPECIAL) :])

    def __len__(self) -> int:
        return len(self.theirs)

    def ids_there(self) -> Ids:
        """The folder's ids of this side, with those of the special tokens that the tokeniser adds to a sentence."""
        ids = self._tokenizer(**{self._text: ""}).input_ids
        end = ids.index(self.theirs[END_ID]) if self.theirs[END_ID] in ids else len(ids)
        return Ids(theirs=self.theirs, before=ids[:end], after=ids[end + 1 :], barred=self._barred)

    def encode_text(self, text: str) -> Encoded:
        """Encode a sentence. In the result, a token that begins with a space begins a word."""
        theirs = self._tokenizer(**{self._text: text}, add_special_tokens=False).input_ids
        ids = (*(self._ours[id] for id in theirs), END_ID)
        words, tokens = self.word_indices(ids), self.tokens(ids)
        unknown = tuple(
            "".join(tokens[k] for k, word in enumerate(words) if word == words[at]).replace(PIECE_MARK, "")
            for at, id in enumerate(ids)
            if id == UNK_ID
        )
        return Encoded(ids=ids, tokens=tokens, words=words, unknown=unknown)

    def encode(self, words: Sequence[str]) -> Encoded:
        return self.encode_text(" ".join(words))

    def ids(self, words: Sequence[str]) -> list[int]:
        return list(self.encode(words).ids)

    def tokens(self, ids: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._surfaces[id] for id in ids)

    def word_indices(self, ids: Sequence[int]) -> tuple[int, ...]:
        indices: list[int] = []
        for id in ids:
            starts = not indices or id == END_ID or self._surfaces[id].startswith(PIECE_MARK)
            indices.append((indices[-1] if indices else -1) + int(starts))
        return tuple(indices)

    def words(self, ids: Sequence[int]) -> list[str]:
        theirs = [self.theirs[id] for id in ids if id != END_ID]
        return numbered_words(self._tokenizer.decode(theirs, skip_special_tokens=True))

    def save(self, folder: Path, side: str) -> None:
        raise InputError(f"the {side} vocabulary of a folder of Hugging Face stays where it is, not in {folder}")


def _bytes() -> dict[str, int]:
    """The byte that each letter stands for in a byte-level vocabulary like GPT-2's."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    return {chr(byte): byte for byte in plain} | {chr(256 + k): byte for k, byte in enumerate(others)}


def _surface(token: str, spelled: Mapping[str, int] | None) -> str:
    if spelled is None or not all(letter in spelled for letter in token):
        return token
    data = bytes(spelled[letter] for letter in token)
    try:
        text = data.decode()
    except UnicodeDecodeError:  # a part of a letter
        text = "".join(f"<0x{byte:02X}>" for byte in data)
    return text.replace(" ", PIECE_MARK)


class Written(Tokenizer):
    """Tokeniser of a language. ``detokenize`` only joins words: the folder's tokeniser has placed the spaces."""

    def detokenize(self, words: Sequence[str]) -> str:
        return " ".join(words)

    def natural(self, words: Sequence[str]) -> str:
        """Detokenise words that the Moses tokeniser made."""
        return super().detokenize(words)


@dataclass(frozen=True)
class Codec(TextCodec):
    """Language and vocabulary of one side. The folder's tokeniser encodes the untokenised text."""

    tokenizer: Written
    vocabulary: Pieces

    def encode(self, text: str) -> Encoded:
        return self.vocabulary.encode_text(text)

    def encode_line(self, line: str, pretokenised: bool) -> Encoded:
        words = numbered_words(line) if pretokenised else self.tokenizer.line_words(line)
        apart = self.tokenizer.language in UNSPACED or pretokenised
        encoded = self.encode(self.tokenizer.natural(words) if pretokenised else line)
        plain = ["" if id == UNK_ID else token for id, token in zip(encoded.ids, encoded.tokens, strict=True)][:-1]
        plain = [token.replace(PIECE_MARK, "") for token in plain]
        spans = word_spans(" ".join(words) if apart else line, plain)
        for at in range(len(spans) - 2, -1, -1):
            spans[at] = spans[at] if plain[at] else spans[at + 1]
        return replace(encoded, words=(*spans, len(words)))


@dataclass(frozen=True, kw_only=True)
class State:
    """State of a search with R rows. cache: keys and values. encoded: class of the encoder's result. read: annotations,
    [R, T, d]. mask: [R, T]. ends: T_x of each source, [R]. lines: number of sentences. columns: largest T_x. length:
    number of tokens that the decoder has read."""

    cache: Any
    encoded: Any
    read: Tensor
    mask: Tensor
    ends: Tensor
    lines: int
    columns: int
    length: int


class Steps(PreparedSteps):
    """An encoder-decoder of transformers with the interface of ``PreparedSteps``: search and forced decoding."""

    kind: str = "transformer"
    has_alpha: bool = True
    model: Any

    def __init__(self, name: str, model: Any, source: Ids, target: Ids, chosen: Sequence[Head]) -> None:
        self.name, self.model, self.precision, self.others = name, model, None, ()
        self._source, self._target = (torch.tensor(side.theirs, device=model.device) for side in (source, target))
        self._before, self._after = source.before, source.after
        begins = (config.decoder_start_token_id for config in (model.generation_config, model.config))
        self._start = [*(target.after[-1:] or [next(id for id in begins if id is not None)]), *target.before]
        self._barred = torch.tensor(target.barred, dtype=torch.long, device=model.device)
        self._most = getattr(model.config, "max_position_embeddings", None)
        self._factors = sum(p.numel() for p in model.get_decoder().parameters())
        config = model.config
        layers = getattr(config, "decoder_layers", None) or config.num_decoder_layers
        heads = getattr(config, "decoder_attention_heads", None) or config.num_heads
        self.heads = [*chosen] or [(max(0, layers - 2), head) for head in range(heads)]
        if any(layer >= layers or head >= heads for layer, head in self.heads):
            raise InputError(f"{name}: {HEADS} names a head that is not among {layers} layers of {heads} heads")

    @property
    def device(self) -> torch.device:
        return torch.device(self.model.device)

    @property
    def engine(self) -> str:
        return "torch"

    def steps(self) -> Any:
        return self

    def threads(self, rows: int) -> Any:
        return threads_for(rows * self._factors)

    def start(self, source: Tensor, mask: Tensor) -> State:
        ids, read = self._inputs(source, mask)
        from transformers.cache_utils import DynamicCache, EncoderDecoderCache

        encoded = self.model.get_encoder()(input_ids=ids, attention_mask=read.long())
        cache = EncoderDecoderCache(DynamicCache(), DynamicCache())
        lines, columns = source.shape
        ends = mask.sum(1)
        kind, wrote = type(encoded), encoded.last_hidden_state
        return State(
            cache=cache, encoded=kind, read=wrote, mask=read, ends=ends, lines=lines, columns=columns, length=0
        )

    def step(self, state: State, previous: Tensor, override: AlphaOverride | None = None) -> Step[State]:
        if override is not None:
            raise InputError(say("errors.many_heads", name=self.name))
        words = self._target[previous.clamp(min=0).reshape(-1, 1)]
        if not state.length:
            words = words.new_tensor(self._start).expand(len(words), -1)
        cache = _copied(state.cache)
        output = self.model(
            encoder_outputs=state.encoded(last_hidden_state=state.read),
            attention_mask=state.mask.long(),
            decoder_input_ids=words,
            cache=cache,
            use_cache=True,
            output_attentions=True,
        )
        length = state.length + words.shape[1]
        log_p = output.logits[:, -1].float().log_softmax(1)[:, self._target]
        log_p[:, self._barred] = -torch.inf
        if self._most is not None and length >= self._most:
            log_p[:, END_ID + 1 :] = -torch.inf
        weights = torch.stack([output.cross_attentions[layer][:, head, -1:] for layer, head in self.heads]).mean(0)
        alpha = self._columns(weights, state.ends, state.columns)
        rows = (state.lines, -1)
        after = replace(state, cache=cache, length=length)
        return Step(log_p.view(*rows, log_p.shape[1]), alpha.view(*rows, state.columns), after)

    def select(self, state: State, rows: Tensor) -> State:
        indices = rows.flatten()
        cache = _copied(state.cache)
        cache.reorder_cache(indices)
        read, mask, ends = state.read[indices], state.mask[indices], state.ends[indices]
        return replace(state, cache=cache, read=read, mask=mask, ends=ends, lines=len(rows))

    def forced(self, source: PaddedTokens, target: PaddedTokens) -> ForcedOutput:
        layers, heads = zip(*self.heads, strict=True)
        log_p, alpha = [], []
        most = max(1, _NUMBERS // (target.ids.shape[1] * len(self._target)))
        for at in range(0, len(source.ids), most):
            values, weights = self._given(source, target, slice(at, at + most))
            log_p.append(values)
            alpha.append(weights[:, list(layers), list(heads)].mean(1))
        return ForcedOutput(torch.cat(log_p), torch.cat(alpha))

    def every_head(self, source: PaddedTokens, target: PaddedTokens) -> Tensor:
        """Attention weights of all heads for given targets, [B, layers, heads, T_y, T_x]."""
        return self._given(source, target, slice(None))[1]

    @torch.inference_mode()
    def _given(self, source: PaddedTokens, target: PaddedTokens, part: slice) -> tuple[Tensor, Tensor]:
        """Log-probabilities [B, T_y] of given targets, and the weights of all heads, from one pass."""
        mask, wanted = target.mask[part], self._target[target.ids[part]]
        ids, read = self._inputs(source.ids[part], source.mask[part])
        begun = torch.cat([wanted.new_tensor([self._start] * len(wanted)), wanted[:, :-1]], dim=1)
        self._check(begun.shape[1], "writes")
        with threads_for(begun.numel() * self._factors):
            output = self.model(
                input_ids=ids,
                attention_mask=read.long(),
                decoder_input_ids=begun,
                use_cache=False,
                output_attentions=True,
            )
        first = len(self._start) - 1
        log_p = output.logits[:, first:].float().log_softmax(2).gather(2, wanted[..., None])[..., 0]
        weights = torch.stack(output.cross_attentions, 1)[:, :, :, first:]
        alpha = self._columns(weights, source.mask[part].sum(1), source.ids.shape[1])
        return log_p * mask, alpha * mask[:, None, None, :, None]

    def _inputs(self, source: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The folder's ids of sources, special tokens included, and the mask of their tokens, both [B, T]."""
        around = len(self._before) + len(self._after)
        lengths = mask.sum(1)
        width = source.shape[1] + around
        self._check(width, "reads")
        ids = source.new_full((len(source), width), self.model.config.pad_token_id)
        ids[:, : len(self._before)] = ids.new_tensor(self._before)
        theirs = torch.where(mask, self._source[source], ids.new_tensor(self.model.config.pad_token_id))
        ids[:, len(self._before) : len(self._before) + source.shape[1]] = theirs
        for k, token in enumerate(self._after):
            ids[torch.arange(len(ids)), len(self._before) + lengths + k] = token
        return ids, torch.arange(width, device=ids.device) < (lengths + around)[:, None]

    def _check(self, tokens: int, does: str) -> None:
        if self._most is not None and tokens > self._most:
            raise InputError(f"{self.name} {does} at most {self._most} tokens, but this sentence has {tokens}")

    def _columns(self, weights: Tensor, ends: Tensor, columns: int) -> Tensor:
        """Weights of a sentence's tokens, [B, .., T_x]. The end-of-sentence token gets those of special tokens."""
        first = len(self._before)
        inside = torch.arange(columns, device=weights.device) < ends[:, None] - 1
        inside = inside.view(len(inside), *[1] * (weights.dim() - 2), columns)
        weights_inside = weights[..., first : first + columns].float() * inside
        at = (ends - 1).view(-1, *[1] * (weights.dim() - 1)).expand(*weights_inside.shape[:-1], 1)
        return weights_inside.scatter(-1, at, 1 - weights_inside.sum(-1, keepdim=True))


def _copied(cache: Any) -> Any:
    """A copy that can grow while ``cache`` stays the same: transformers replaces tensors, it never overwrites them."""
    new = copy(cache)
    new.is_updated = dict(cache.is_updated)
    for name in ("self_attention_cache", "cross_attention_cache"):
        half = copy(getattr(cache, name))
        half.layers = [copy(layer) for layer in half.layers]
        setattr(new, name, half)
    return new


class HuggingFace(System):
    """A loaded folder of Hugging Face. steps: its model, which also gives the attention weights of every head."""

    _steps: Steps

    @property
    def steps(self) -> Steps:
        return self._steps

    def every_head(self, source: Encoded, target: Encoded) -> NDArray[np.float32]:
        """See ``System.every_head``."""
        sides = (PaddedTokens([side], self.device) for side in (source, target))
        weights: NDArray[np.float32] = self._steps.every_head(*sides)[0].cpu().numpy()
        return weights

    def save_heads_first(self, folder: Path, out: Path, layer: int, heads: Sequence[int]) -> None:
        """Copy ``folder`` to the new folder ``out``. There ``heads`` come first in ``layer``, in this order, and
        ``alignment_heads`` names them. Rows of W_q, W_k, W_v and columns of W_o move together, so no output changes."""
        if out.exists():
            raise InputError(f"{out} exists already")
        model = self._steps.model
        number = int(model.config.num_attention_heads)
        order = [*heads, *(head for head in range(number) if head not in heads)]
        state: dict[str, Tensor] = dict(model.state_dict())
        for name, weight in state.items():
            match = re.search(rf"decoder\.(?:layers|block)\.{layer}\..*(?:encoder_attn|EncDecAttention)\.(\w+)\.", name)
            if match is None or match[1] not in _PROJECTIONS or name.endswith("out_proj.bias"):
                continue
            axis = int(match[1] in ("out_proj", "o"))
            parts = weight.chunk(number, axis)
            state[name] = torch.cat([parts[head] for head in order], axis)
        model.save_pretrained(out, state_dict=state)
        written = {path.name for path in out.iterdir()}
        for path in folder.iterdir():
            if path.is_file() and path.name not in written and path.suffix not in (".safetensors", ".bin"):
                shutil.copy(path, out)
        languages = {"source_language": self.source_language, "target_language": self.target_language}
        chosen = {HEADS: [[layer, k] for k in range(len(heads))]}
        for name, stated, more in (("config.json", languages, {}), ("generation_config.json", {}, chosen)):
            path = out / name
            before = json.loads(path.read_text("utf-8")) if path.is_file() else {}
            path.write_text(json.dumps(stated | before | more, indent=2) + "\n", "utf-8")

    def resolved(self, settings: SearchSettings) -> SearchSettings:
        """See ``System.resolved``. InputError for hard attention."""
        if settings.hard_attention:
            raise InputError(f"{self.name} is a Transformer: hard attention is for RNNsearch alone")
        return super().resolved(settings)
