"""The batches of a wide network on a GPU, with PyTorch; the same steps as `learn/wide_fit` computes.

PyTorch is optional (`gambito[learn]`), and imported only when a GPU is asked for. The sets of all positions
lie in the GPU's memory; a batch unpacks them to zeros and ones. A batch is sorted by its pairs of
views, the mover's and the other player's. The positions of a pair are multiplied at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gambito.errors import EvaluationError
from gambito.game.contract import Game
from gambito.learn.fit import FIRST, SECOND, TINY

VIEWS = 4  # of a position: by either player, and in a mirror
TESTED = 1 << 18  # positions in one batch where nothing is learned


def has_gpu(is_needed: bool) -> bool:
    """Is there a GPU, and PyTorch to use it? If it is needed, an error says what is missing."""
    try:
        import torch
    except ImportError:
        if is_needed:
            raise EvaluationError("training on a GPU needs PyTorch: pip install 'gambito[learn]'") from None
        return False
    if torch.cuda.is_available():
        return True
    if is_needed:
        raise EvaluationError("PyTorch finds no GPU here; train with --device cpu")
    return False


class Gpu:
    """The machine that computes batches with PyTorch; see `wide.Machine`."""

    def __init__(self, game: Game, packed: Any, net: Any, device: str) -> None:
        import torch

        from gambito.learn.wide_fit import largest_weight

        self.torch, self.net, self.device, form = torch, net, device, game.form
        self.form, self.limit = form, largest_weight(form)
        torch.set_float32_matmul_precision("high")
        try:
            self._place(game, packed)
        except torch.cuda.OutOfMemoryError:
            raise self._too_large() from None

    def _too_large(self) -> EvaluationError:
        return EvaluationError(
            "the GPU has too little memory: use smaller batches or --device cpu; finished epochs are kept"
        )

    def _place(self, game: Any, packed: Any) -> None:
        """Bring positions and tables to the GPU."""
        torch, form = self.torch, self.form

        def there(array: Any) -> Any:
            return torch.from_numpy(np.ascontiguousarray(array)).to(self.device)

        self.sets = there(packed.sets.view(np.int64).reshape(-1, form.sets))
        self.movers, self.goals = there(packed.movers.astype(np.int64)), there(packed.goals)
        self.rows = there(form.seen(game)).reshape(-1)  # [4 · inputs]
        self.right = there(game.wide_right.view(np.int64))
        self.bits = torch.arange(8, device=self.device, dtype=torch.uint8)
        own = self._views(self.movers)
        self.pairs = (VIEWS * own + self._views(1 - self.movers)).to(torch.uint8).cpu().numpy()
        self.take()

    def take(self) -> None:
        self.values, self.first, self.second = (
            self.torch.from_numpy(held.copy()).to(self.device)
            for held in (self.net.values, self.net.first, self.net.second)
        )

    def bring(self) -> None:
        for name in ("values", "first", "second"):
            getattr(self.net, name)[:] = getattr(self, name).cpu().numpy()

    def _views(self, side: Any) -> Any:
        """The number of the view of a side, for each position."""
        view = 2 * side
        if self.form.king >= 0:
            king = self.sets.gather(1, (self.form.king + side * (self.form.sets // 2))[:, None])[:, 0]
            view = view + ((king & self.right[side]) != 0).long()
        return view

    def _losses(self, values: Any, order: Any) -> Any:
        """The squared errors of positions, sorted by their pairs of views."""
        torch, form = self.torch, self.form
        pairs = self.pairs[order]
        places = torch.from_numpy(order[np.argsort(pairs, kind="stable")]).to(self.device)
        bits = (self.sets[places].view(torch.uint8)[:, :, None] >> self.bits & 1).reshape(len(order), -1)
        rows = values[: form.zeros].reshape(form.inputs, form.units)
        spread = rows.index_select(0, self.rows).reshape(VIEWS, form.inputs, form.units)
        begin = values[form.zeros : form.zeros + form.units].repeat(2)
        sums, counts = [], np.bincount(pairs, minlength=VIEWS * VIEWS).tolist()
        for pair, part in enumerate(bits.to(rows.dtype).split(counts)):
            if len(part):
                both = torch.cat((spread[pair // VIEWS], spread[pair % VIEWS]), 1)
                sums.append(torch.addmm(begin, part, both))
        active = torch.cat(sums).clamp(0, 1).square()
        totals = values[form.zeros + form.units : form.count - form.outputs].reshape(form.outputs, -1)
        output = (bits.sum(1) * form.outputs // (form.pieces + 1)).clamp(max=form.outputs - 1)
        each = active @ totals.T + values[form.count - form.outputs :]
        total = each.gather(1, output[:, None])[:, 0]
        return (torch.sigmoid(total) - self.goals[places]).square()

    def descend(self, order: Any, number: int, rate: float) -> Any:
        torch = self.torch
        values = self.values.detach().requires_grad_()
        try:
            losses = self._losses(values, order)
            losses.mean().backward()
        except torch.cuda.OutOfMemoryError:
            raise self._too_large() from None
        with torch.no_grad():
            slopes = values.grad
            self.first.mul_(FIRST).add_(slopes, alpha=1 - FIRST)
            self.second.mul_(SECOND).addcmul_(slopes, slopes, value=1 - SECOND)
            far = (self.second / (1 - SECOND**number)).sqrt_().add_(TINY)
            self.values = values.detach() - rate * (self.first / (1 - FIRST**number)) / far
            self.values[: self.form.count - self.form.outputs].clamp_(-self.limit, self.limit)
        return losses.detach().sum()  # stays on the GPU: reading it would wait for every batch

    def error(self, order: Any) -> float:
        torch, total = self.torch, 0.0
        with torch.no_grad():
            for begin in range(0, len(order), TESTED):
                total += float(self._losses(self.values, order[begin : begin + TESTED]).sum())
        return total
