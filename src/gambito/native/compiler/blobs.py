"""States with arrays as values: a packed struct, with the bytes of each array in its place.

Code for all games passes it like any other state. A bridge writes it to memory and gives the rule arrays that
look at that memory and have no owner; from what a rule returns it takes the bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.np.arrayobj import populate_array

from gambito.native.kinds import Fixed, Kind, Tuple

_WORD, _INT, _BYTE = ir.IntType(64), ir.IntType(32), ir.IntType(8)
_WIDEST = 32  # bytes: the widest register that every processor with AVX has
ALIGN = 16  # of memory in which arrays lie


def chunks(size: int) -> list[ir.Type]:
    """The parts in which the bytes of an array are loaded and stored, without a gap and none too many.

    An array of bytes would become a value for each byte.
    """
    found: list[ir.Type] = [ir.VectorType(_WORD, _WIDEST // 8)] * (size // _WIDEST)
    size %= _WIDEST
    for wide in (16, 8, 4, 2, 1):
        if size >= wide:
            found.append(ir.VectorType(_WORD, 2) if wide == 16 else ir.IntType(8 * wide))
            size -= wide
    return found


def struct_of(dmm: Any, held: types.Type, layout: Kind) -> ir.LiteralStructType:
    """The struct of a state; `held` is Numba's type."""
    return ir.LiteralStructType(_parts(dmm, held, layout), packed=True)


def _parts(dmm: Any, held: types.Type, layout: Kind) -> list[ir.Type]:
    if isinstance(layout, Fixed):
        return chunks(layout.bytes)
    if isinstance(layout, Tuple):
        pairs = zip(held.types, layout.parts, strict=True)
        return [part for inner, kind in pairs for part in _parts(dmm, inner, kind)]
    return [dmm[held].get_data_type()]


# ---- struct to state ---------------------------------------------------------------------------------


def opened(context: Any, builder: Any, value: Any, held: types.Type, layout: Kind, memory: Any = None) -> Any:
    """The state in a struct, with its arrays in `memory`, or else on the stack."""
    if memory is None:
        place = cgutils.alloca_once(builder, value.type)
        place.align = ALIGN
    else:
        place = builder.bitcast(memory, value.type.as_pointer())
    for number in range(len(value.type.elements)):
        part = builder.gep(place, [_INT(0), _INT(number)], inbounds=True)
        builder.store(builder.extract_value(value, number), part, align=1)
    return _opened(context, builder, _Reader(value, place), held, layout)


class _Reader:
    """The parts of a struct in their order."""

    def __init__(self, value: Any, place: Any) -> None:
        self.value, self.place, self.at = value, place, 0


def _opened(context: Any, builder: Any, reader: _Reader, held: Any, layout: Kind) -> Any:
    if isinstance(layout, Tuple):
        pairs = zip(held.types, layout.parts, strict=True)
        parts = [_opened(context, builder, reader, inner, kind) for inner, kind in pairs]
        return context.make_tuple(builder, held, parts)
    if not isinstance(layout, Fixed):
        found = builder.extract_value(reader.value, reader.at)
        reader.at += 1
        return context.data_model_manager[held].from_data(builder, found)
    place = reader.place
    if layout.bytes:
        place = builder.gep(place, [_INT(0), _INT(reader.at)], inbounds=True)
    reader.at += len(chunks(layout.bytes))
    item = context.get_data_type(held.dtype).as_pointer()
    step, strides = layout.item.dtype.itemsize, list[Any]()
    for length in reversed(layout.shape):
        strides.insert(0, _WORD(step))
        step *= length
    array = context.make_array(held)(context, builder)
    size, shape = _WORD(layout.item.dtype.itemsize), [_WORD(length) for length in layout.shape]
    populate_array(array, builder.bitcast(place, item), shape, strides, size, None)
    return array._getvalue()


# ---- state to struct ---------------------------------------------------------------------------------


def closed(context: Any, builder: Any, value: Any, held: types.Type, layout: Kind) -> Any:
    """The struct of a state, whose arrays are contiguous and have their shape."""
    return struct_from(builder, list(_closed(context, builder, value, held, layout)))


def struct_from(builder: Any, parts: list[Any]) -> Any:
    """A packed struct of these values."""
    made = ir.Constant(ir.LiteralStructType([part.type for part in parts], packed=True), ir.Undefined)
    for number, part in enumerate(parts):
        made = builder.insert_value(made, part, number)
    return made


def _closed(context: Any, builder: Any, value: Any, held: Any, layout: Kind) -> Iterator[Any]:
    if isinstance(layout, Tuple):
        for number, (inner, kind) in enumerate(zip(held.types, layout.parts, strict=True)):
            yield from _closed(context, builder, builder.extract_value(value, number), inner, kind)
    elif not isinstance(layout, Fixed):
        yield context.data_model_manager[held].as_data(builder, value)
    else:
        data = context.make_array(held)(context, builder, value).data
        place, at = builder.bitcast(data, _BYTE.as_pointer()), 0
        for chunk in chunks(layout.bytes):
            where = builder.bitcast(builder.gep(place, [_WORD(at)]), chunk.as_pointer())
            yield builder.load(where, align=1)
            at += chunk.width // 8 if isinstance(chunk, ir.IntType) else chunk.count * 8


def equal(builder: Any, one: Any, other: Any) -> Any:
    """Do two structs have the same numbers and the same bytes?"""
    same = ir.Constant(ir.IntType(1), 1)
    for number, part in enumerate(one.type.elements):
        pair = [builder.extract_value(value, number) for value in (one, other)]
        if isinstance(part, ir.VectorType):
            pair = [builder.bitcast(value, ir.IntType(part.count * 64)) for value in pair]
        if isinstance(part, ir.FloatType | ir.DoubleType):
            same = builder.and_(same, builder.fcmp_ordered("==", *pair))
        else:
            same = builder.and_(same, builder.icmp_unsigned("==", *pair))
    return same
