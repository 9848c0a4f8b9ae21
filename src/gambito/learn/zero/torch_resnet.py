"""A residual network with PyTorch: how it learns, and how it answers for the leaves of games.

PyTorch is optional (`gambito[learn]`), and imported only where such a network is trained. Batches are
normalised while the network learns; what plays has the norms in its weights (`evaluate/policy/residual.py`).
States travel to the device as bytes and become inputs there, as `sight.py` makes them here.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gambito.errors import EvaluationError
from gambito.evaluate.policy.encoding import BITS, VALUES, StateEncoding
from gambito.evaluate.policy.places import Grid
from gambito.evaluate.policy.residual import Residual, ResNetShape
from gambito.learn.zero.optimiser import DECAY, FIRST, SECOND
from gambito.learn.zero.search_trees import spans

EPSILON = 1e-5  # of the norms
MOMENTUM = 0.05  # how fast the norms follow the batches
ADAM_TINY = 1e-7


@functools.cache
def pytorch() -> Any:
    """PyTorch; an error says how to get it."""
    try:
        import torch
    except ImportError:
        raise EvaluationError("a residual network needs PyTorch: pip install 'gambito[learn]'") from None
    return torch


@contextmanager
def enough_memory() -> Iterator[None]:
    """Say in a sentence that a GPU has too little memory."""
    try:
        yield
    except pytorch().cuda.OutOfMemoryError:
        raise EvaluationError(
            "the GPU has too little memory for this network: free it or train with --device cpu;"
            " finished rounds are kept"
        ) from None


class TorchEncoder:
    """Inputs from the bytes of states, on the device; the same as `Sight.rows`."""

    def __init__(self, sight: StateEncoding, grid: Grid, device: str) -> None:
        self.torch, self.sight, self.grid, self.device = pytorch(), sight, grid, device
        places = [
            8 * sight.layout.spots[view.spot].offset + int(bit)
            for view in sight.views
            if view.way == BITS
            for bit in view.marks
        ]
        self.byte, self.shift = self._there([p // 8 for p in places]), self._there([p % 8 for p in places])
        self.shift = self.shift.to(self.torch.uint8)
        self.players = self.torch.arange(sight.players, device=device)
        source = np.full((grid.planes, grid.cells), sight.inputs)  # the last one is always 0
        source[grid.plane, grid.cell] = grid.on
        self.source, self.off = self._there(source.ravel()), self._there(grid.off)
        self.marks = {number: self._marks(number) for number in range(len(sight.views))}

    def _there(self, numbers: Any) -> Any:
        return self.torch.tensor(np.asarray(numbers, np.int64), device=self.device)

    def _marks(self, number: int) -> Any:
        """The bytes of the values that a view tells apart."""
        view = self.sight.views[number]
        if view.way != VALUES:
            return None
        dtype = self.sight.layout.spots[view.spot].dtype
        marks = np.array(view.marks).astype(dtype).view(np.uint8).reshape(len(view.marks), -1)
        return self.torch.tensor(marks, device=self.device)

    def rows(self, packed: Any, movers: Any) -> Any:
        """The inputs of states, [states][inputs], from [states][bytes] and who moves in them."""
        torch, sight = self.torch, self.sight
        movers = movers.clamp(0, sight.players - 1)
        parts = [movers[:, None] == self.players, (packed.index_select(1, self.byte) >> self.shift) & 1]
        for number, view in enumerate(sight.views):
            spot = sight.layout.spots[view.spot]
            held = packed[:, spot.offset : spot.offset + spot.dtype.itemsize]
            if view.way == VALUES:
                parts.append((held[:, None] == self.marks[number]).all(2))
            elif view.way != BITS:
                low, high = view.marks
                parts.append(((self._number(held, spot.dtype) - low) / (high - low)).clamp(0, 1)[:, None])
        return torch.cat([part.to(torch.float32) for part in parts], 1)

    def _number(self, held: Any, dtype: Any) -> Any:
        """Numbers from their bytes."""
        torch = self.torch
        if dtype.kind == "f":
            return held.contiguous().view(torch.float32 if dtype.itemsize == 4 else torch.float64)[:, 0]
        weights = 256.0 ** torch.arange(dtype.itemsize, device=self.device, dtype=torch.float64)
        number = (held.to(torch.float64) * weights).sum(1)
        return number - (held[:, -1] >= 128) * 256.0**dtype.itemsize if dtype.kind == "i" else number

    def split(self, rows: Any) -> tuple[Any, Any]:
        """The planes, [states][planes][height][width], and the inputs that are not on the board."""
        grid = self.grid
        wide = self.torch.nn.functional.pad(rows, (0, 1))
        planes = wide.index_select(1, self.source).view(-1, grid.planes, grid.height, grid.width)
        return planes, rows.index_select(1, self.off)


def to_conv(matrix: Any, channels: int) -> Any:
    """A conv's weights as PyTorch has them, from a matrix."""
    side = 3 if matrix.shape[0] == 9 * channels else 1
    return np.ascontiguousarray(matrix.reshape(side, side, channels, -1).transpose(3, 2, 0, 1))


def to_matrix(conv: Any) -> Any:
    """The matrix of a conv's weights."""
    return np.ascontiguousarray(conv.transpose(2, 3, 1, 0)).reshape(-1, conv.shape[0])


def answer(torch: Any, weights: dict[str, Any], blocks: int, planes: Any, others: Any) -> Any:
    """The outputs of a network that plays, [states][slots + values]."""
    functional = torch.nn.functional
    relu, linear = functional.relu, functional.linear

    def conv(cells: Any, name: str) -> Any:
        held = weights[f"w{name}"]
        return functional.conv2d(cells, held, weights[f"b{name}"], padding=held.shape[-1] // 2)

    cells = relu(conv(planes, "0") + linear(others, weights["g0"])[:, :, None, None])
    for block in range(blocks):
        inner = relu(conv(cells, f"{2 * block + 1}"))
        cells = relu(cells + conv(inner, f"{2 * block + 2}"))
    policy, value = (relu(conv(cells, name)).permute(0, 2, 3, 1).flatten(1) for name in "pv")
    units = relu(linear(value, weights["u"], weights["ub"]))
    values = torch.tanh(linear(units, weights["v"], weights["vb"]))
    return torch.cat((linear(policy, weights["p"], weights["pb"]), values), 1).float()


class ResNetTrainer:
    """A network that learns: weights and norms by name, and the moments of Adam."""

    def __init__(self, tower: ResNetShape, seer: TorchEncoder, seed: int) -> None:
        self.tower, self.seer, self.device, self.torch = tower, seer, seer.device, pytorch()
        self.is_gpu = self.device == "cuda"
        self.names = [*map(str, range(2 * tower.blocks + 1)), "p", "v"]
        rng = np.random.default_rng(seed)
        held: dict[str, Any] = {}
        self.means: dict[str, Any] = {}  # the means and the variances of norms: not learned, but followed
        for name, size in sorted(tower.sizes(seer.grid).items()):
            if len(size) == 1:
                held[name] = np.zeros(size, np.float32)
                continue
            scale = 0.01 if name in ("p", "v") else np.sqrt(2.0 / size[0])
            made = (rng.standard_normal(size) * scale).astype(np.float32)
            held[name] = to_conv(made, self._before(name)) if name[0] == "w" else made.T.copy()
        for name in self.names:
            channels = len(held[f"b{name}"])
            is_last = (
                name.isdigit() and name != "0" and int(name) % 2 == 0
            )  # a block begins by adding nothing
            held[f"scale{name}"] = np.full(channels, 0.0 if is_last else 1.0, np.float32)
            self.means[f"mean{name}"] = self._there(np.zeros(channels, np.float32))
            self.means[f"var{name}"] = self._there(np.ones(channels, np.float32))
        self.weights = {name: self._there(array).requires_grad_() for name, array in held.items()}
        groups = [
            {"params": [w for w in self.weights.values() if w.ndim > 1], "weight_decay": DECAY},
            {"params": [w for w in self.weights.values() if w.ndim == 1], "weight_decay": 0.0},
        ]
        self.rate, self.losses = self._there(np.float32(0.0)), self._there(np.zeros(2, np.float32))
        ways = {"fused": True, "capturable": True} if self.is_gpu else {}
        rate: Any = self.rate if self.is_gpu else 1e-3
        self.adam = self.torch.optim.AdamW(groups, rate, (FIRST, SECOND), ADAM_TINY, **ways)
        self.graph: Any = None
        self.chosen: Any = None  # the places on the shelf of the batch that is learned from

    def _before(self, name: str) -> int:
        """The channels that a conv looks at."""
        return self.seer.grid.planes if name == "w0" else self.tower.channels

    def _there(self, array: Any) -> Any:
        return self.torch.tensor(array, device=self.device)

    # ---- what is kept --------------------------------------------------------------------------------
    def held(self) -> dict[str, Any]:
        """All that a checkpoint needs, by name."""
        kept = {f"{name}.weights": weight for name, weight in self.weights.items()}
        kept |= {f"{name}.norms": mean for name, mean in self.means.items()}
        for name, weight in self.weights.items():
            for part, moment in self.adam.state.get(weight, {}).items():
                kept[f"{name}.{part}"] = moment
        return {name: tensor.detach().cpu().numpy() for name, tensor in kept.items()}

    def take_up(self, held: Any) -> None:
        """Go on from a checkpoint."""
        with self.torch.no_grad():
            for name, weight in self.weights.items():
                weight.copy_(self._there(held[f"{name}.weights"]))
                parts = ("step", "exp_avg", "exp_avg_sq")
                if f"{name}.step" in held:
                    self.adam.state[weight] = {part: self._there(held[f"{name}.{part}"]) for part in parts}
                    if not self.is_gpu:
                        self.adam.state[weight]["step"] = self.adam.state[weight]["step"].cpu()
            for name, mean in self.means.items():
                mean.copy_(self._there(held[f"{name}.norms"]))

    def folded(self) -> dict[str, Any]:
        """The weights that play: norms are parts of them."""
        found = {name: w.detach() for name, w in self.weights.items() if not name.startswith("scale")}
        for name in self.names:
            factor = self.weights[f"scale{name}"].detach() / (self.means[f"var{name}"] + EPSILON).sqrt()
            found[f"w{name}"] = found[f"w{name}"] * factor[:, None, None, None]
            found[f"b{name}"] = found[f"b{name}"] - self.means[f"mean{name}"] * factor
            if name == "0":
                found["g0"] = found["g0"] * factor[:, None]
        return found

    def residual(self) -> Residual:
        """The network that plays, in NumPy."""
        arrays = {name: tensor.cpu().numpy() for name, tensor in self.folded().items()}
        made = {}
        for name, array in arrays.items():
            made[name] = to_matrix(array) if array.ndim == 4 else array.T if array.ndim == 2 else array
        return Residual(
            {name: np.ascontiguousarray(array) for name, array in made.items()}, self.tower, self.seer.grid
        )

    # ---- learning --------------------------------------------------------------------------------
    def outputs(self, planes: Any, others: Any, is_learning: bool) -> tuple[Any, Any]:
        """Logits and values, with the norms of this batch if it is learned from."""
        functional, weights = self.torch.nn.functional, self.weights
        relu, linear = functional.relu, functional.linear

        def normed(found: Any, name: str) -> Any:
            return functional.batch_norm(
                found,
                self.means[f"mean{name}"],
                self.means[f"var{name}"],
                weights[f"scale{name}"],
                weights[f"b{name}"],
                is_learning,
                MOMENTUM,
                EPSILON,
            )

        def conv(cells: Any, name: str) -> Any:
            held = weights[f"w{name}"]
            return functional.conv2d(cells, held, padding=held.shape[-1] // 2)

        cells = conv(planes, "0") + linear(others, weights["g0"])[:, :, None, None]
        cells = relu(normed(cells, "0"))
        for block in range(self.tower.blocks):
            one, two = f"{2 * block + 1}", f"{2 * block + 2}"
            inner = relu(normed(conv(cells, one), one))
            cells = relu(cells + normed(conv(inner, two), two))
        policy, value = (
            relu(normed(conv(cells, name), name)).permute(0, 2, 3, 1).flatten(1) for name in "pv"
        )
        units = relu(linear(value, weights["u"], weights["ub"]))
        values = self.torch.tanh(linear(units, weights["v"], weights["vb"]))
        return linear(policy, weights["p"], weights["pb"]).float(), values.float()

    def learn(self, shelf: TorchReplayBuffer, choices: Any, share: float, rate: float) -> tuple[float, float]:
        """Do a step for each line of places on a shelf; return the mean losses of policy and value.

        `share` is that of the values that searches found.
        """
        self.rate.fill_(rate)
        for group in self.adam.param_groups:
            group["lr"] = self.rate if self.is_gpu else rate
        self.losses.zero_()
        for chosen in choices:
            if self.graph is None:
                self._step(shelf, chosen, share)
            else:
                self.chosen.copy_(chosen)
                self.graph.replay()
        policy, value = (self.losses / len(choices)).tolist()
        return policy, value

    def _step(self, shelf: TorchReplayBuffer, chosen: Any, share: float) -> None:
        """Learn from a batch, and add its losses to the sum."""
        torch = self.torch
        packed, movers, slots, chances, goals = shelf.batch(chosen, share)
        planes, others = self.seer.split(self.seer.rows(packed, movers))
        if self.is_gpu:
            planes = planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device, torch.bfloat16, enabled=self.is_gpu, cache_enabled=False):
            logits, values = self.outputs(planes, others, True)
        legal = slots >= 0
        found = logits.gather(1, slots.clamp(min=0)).masked_fill(~legal, -1e9)
        policy_loss = -(chances * torch.log_softmax(found, 1)).masked_fill(~legal, 0.0).sum(1).mean()
        value_loss = (values - goals).square().sum(1).mean()
        self.adam.zero_grad(set_to_none=True)
        (policy_loss + value_loss).backward()
        self.adam.step()
        self.losses += torch.stack((policy_loss.detach(), value_loss.detach()))

    def record(self, shelf: TorchReplayBuffer, size: int, share: float) -> None:
        """Record a step for batches of one size on a GPU, before anything is learned there.

        The steps that are done before the recording are undone.
        """
        torch = self.torch
        known = [*self.weights.values(), *self.means.values()]
        before = [tensor.detach().clone() for tensor in known]
        moments = {w: {name: m.clone() for name, m in held.items()} for w, held in self.adam.state.items()}
        self.chosen, stream = torch.zeros(size, dtype=torch.int64, device=self.device), torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self._step(shelf, self.chosen, share)
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        self.adam.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            self._step(shelf, self.chosen, share)
        self.graph = graph
        with torch.no_grad():
            for tensor, old in zip(known, before, strict=True):
                tensor.copy_(old)
            for weight, held in self.adam.state.items():
                for name, moment in held.items():
                    moment.copy_(moments[weight][name]) if weight in moments else moment.zero_()


class TorchReplayBuffer:
    """The last positions, on the device, in a ring."""

    def __init__(self, device: str, room: int, width: int, actions: int, values: int) -> None:
        torch = self.torch = pytorch()
        self.device, self.room, self.count, self.next = device, room, 0, 0

        def new(dtype: Any, *sizes: int) -> Any:
            return torch.zeros((room, *sizes), dtype=dtype, device=device)

        self.packed, self.movers = new(torch.uint8, width), new(torch.int8)
        self.slots, self.chances = new(torch.int16, actions), new(torch.float16, actions)
        self.found, self.result = new(torch.float32, values), new(torch.float32, values)

    def add(self, part: dict[str, Any]) -> None:
        """Add the positions of a round, as streams write them; the oldest go."""
        most, count = self.slots.shape[1], len(part["counts"])
        rows, within = spans(part["counts"])
        fits = within < most
        slots, chances = np.full((count, most), -1, np.int16), np.zeros((count, most), np.float16)
        slots[rows[fits], within[fits]] = part["slot"][fits]
        chances[rows[fits], within[fits]] = part["chance"][fits]
        columns = {
            "packed": part["states"], "movers": part["movers"], "slots": slots, "chances": chances,
            "found": part["found"], "result": part["result"],
        }  # fmt: skip
        for begin in range(0, count, self.room):
            self._put({name: array[begin : begin + self.room] for name, array in columns.items()})

    def _put(self, columns: dict[str, Any]) -> None:
        count = len(columns["movers"])
        places = (self.next + self.torch.arange(count, device=self.device)) % self.room
        for name, array in columns.items():
            there = self.torch.tensor(array, device=self.device)
            getattr(self, name).index_copy_(0, places, there)
        self.next, self.count = (self.next + count) % self.room, min(self.count + count, self.room)

    def choose(self, steps: int, size: int, most: int, seed: int) -> Any:
        """The places of batches, [steps][size], among the newest positions, at most so many."""
        dice = self.torch.Generator(self.device).manual_seed(seed)
        newest = min(most, self.count)
        back = self.torch.randint(newest, (steps, size), device=self.device, generator=dice)
        return (self.next - 1 - back) % self.room

    def batch(self, chosen: Any, share: float) -> tuple[Any, ...]:
        """Some positions; `share` is that of the values that searches found."""
        goals = share * self.found[chosen] + (1.0 - share) * self.result[chosen]
        movers, slots = self.movers[chosen].long(), self.slots[chosen].long()
        return self.packed[chosen], movers, slots, self.chances[chosen].float(), goals


class BatchedInference:
    """The network that plays, on the device, for one batch after the other from many threads.

    On a GPU its work is recorded once, for one size of batches, and repeated; numbers have 16 bits.
    """

    def __init__(self, tower: ResNetShape, seer: TorchEncoder, size: int) -> None:
        torch = self.torch = pytorch()
        self.tower, self.seer, self.size, self.device = tower, seer, size, seer.device
        self.lock, self.weights = threading.Lock(), {}  # type: Any, dict[str, Any]
        self.is_gpu = seer.device == "cuda"
        width, wide = seer.sight.layout.width, tower.slots + tower.values
        self.packed = torch.zeros((size, width), dtype=torch.uint8, device=seer.device)
        self.movers = torch.zeros(size, dtype=torch.int64, device=seer.device)
        self.outputs = torch.zeros((size, wide), device=seer.device)
        self.stream: Any = torch.cuda.Stream(priority=-1) if self.is_gpu else None
        self.graph: Any = None
        self.version = 0  # how often the weights have changed

    def learn_from(self, folded: dict[str, Any]) -> None:
        """Play with these weights from now on."""
        torch, kind = self.torch, self.torch.float16 if self.is_gpu else self.torch.float32
        fresh = {name: weight.to(kind) for name, weight in folded.items()}
        if self.is_gpu:
            torch.cuda.current_stream().synchronize()
        with self.lock:
            self.version += 1
            if not self.weights:
                layout = {"memory_format": torch.channels_last} if self.is_gpu else {}
                for name, weight in fresh.items():
                    self.weights[name] = weight.clone(**(layout if weight.ndim == 4 else {}))
                if self.is_gpu:
                    self._record()
                return
            with torch.cuda.stream(self.stream) if self.is_gpu else threading.Lock():
                for name, weight in fresh.items():
                    self.weights[name].copy_(weight)
            if self.is_gpu:
                self.stream.synchronize()  # the fresh weights may go now

    def _compute(self, packed: Any, movers: Any) -> Any:
        torch = self.torch
        with torch.no_grad():
            planes, others = self.seer.split(self.seer.rows(packed, movers))
            kind = next(iter(self.weights.values())).dtype
            planes, others = planes.to(kind), others.to(kind)
            if self.is_gpu:
                planes = planes.contiguous(memory_format=torch.channels_last)
            return answer(torch, self.weights, self.tower.blocks, planes, others)

    def _record(self) -> None:
        torch = self.torch
        torch.backends.cudnn.benchmark = True
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            for _ in range(3):
                self._compute(self.packed, self.movers)
        self.stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=self.stream):
            self.outputs.copy_(self._compute(self.packed, self.movers))
        self.graph = graph

    def seat(self) -> Callable[[Any, Any], Any]:
        """A function that answers for one thread: outputs for bytes of states and their movers."""
        torch = self.torch
        if not self.is_gpu:

            def compute(packed: Any, movers: Any) -> Any:
                with self.lock:
                    given = torch.from_numpy(np.array(packed)), torch.from_numpy(np.array(movers))
                    return self._compute(*given).numpy()

            return compute
        packed_here, movers_here, outputs_here = (
            torch.zeros_like(there, device="cpu").pin_memory()
            for there in (self.packed, self.movers, self.outputs)
        )
        packed_array, movers_array = packed_here.numpy(), movers_here.numpy()
        outputs_array = outputs_here.numpy()
        done = torch.cuda.Event(blocking=True)

        def ask(packed: Any, movers: Any) -> Any:
            count = len(packed)
            packed_array[:count], movers_array[:count] = packed, movers
            with self.lock, torch.cuda.stream(self.stream):
                self.packed.copy_(packed_here, non_blocking=True)
                self.movers.copy_(movers_here, non_blocking=True)
                self.graph.replay()
                outputs_here.copy_(self.outputs, non_blocking=True)
                done.record()
            done.synchronize()
            return outputs_array[:count]

        return ask
