"""The run-time library of compiled code: what stands in for Numba's functions in a shared library.

Memory comes from the system. Code never shares an array with another thread, nor with Python: what it is
given has no owner, and what it stores is copied. So references are counted without atomic steps.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm

NAMES = ("NRT_", "numba_attempt_nocopy_reshape")  # how the names of these functions begin

_TEXT = """
; Six words, also where a pointer takes half of one: code that fills it writes words.
%Word = type { ptr, [0 x i64] }
%MemInfo = type { i64, %Word, %Word, %Word, i64, %Word }
declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)

define void @NRT_incref(ptr %memory) noinline {
  %none = icmp eq ptr %memory, null
  br i1 %none, label %end, label %count
count:
  %now = load i64, ptr %memory
  %more = add i64 %now, 1
  store i64 %more, ptr %memory
  br label %end
end:
  ret void
}

define void @NRT_decref(ptr %memory) noinline {
  %none = icmp eq ptr %memory, null
  br i1 %none, label %end, label %count
count:
  %now = load i64, ptr %memory
  %less = sub i64 %now, 1
  store i64 %less, ptr %memory
  %last = icmp eq i64 %less, 0
  br i1 %last, label %drop, label %end
drop:
  call void @NRT_MemInfo_call_dtor(ptr %memory)
  br label %end
end:
  ret void
}

define ptr @NRT_MemInfo_data_fast(ptr %memory) {
  %place = getelementptr %MemInfo, ptr %memory, i32 0, i32 3
  %data = load ptr, ptr %place
  ret ptr %data
}

define ptr @NRT_Allocate(i64 %size) {
  %made = call ptr @malloc(i64 %size)
  ret ptr %made
}

define void @NRT_Free(ptr %memory) {
  call void @free(ptr %memory)
  ret void
}

define void @gambito_fill(ptr %made, ptr %dtor, ptr %info, ptr %data, i64 %size) {
  store i64 1, ptr %made
  %dtor_place = getelementptr %MemInfo, ptr %made, i32 0, i32 1
  store ptr %dtor, ptr %dtor_place
  %info_place = getelementptr %MemInfo, ptr %made, i32 0, i32 2
  store ptr %info, ptr %info_place
  %data_place = getelementptr %MemInfo, ptr %made, i32 0, i32 3
  store ptr %data, ptr %data_place
  %size_place = getelementptr %MemInfo, ptr %made, i32 0, i32 4
  store i64 %size, ptr %size_place
  %outer_place = getelementptr %MemInfo, ptr %made, i32 0, i32 5
  store ptr null, ptr %outer_place
  ret void
}

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %wide = zext i32 %align to i64
  %head = add i64 %wide, 48
  %all = add i64 %head, %size
  %made = call ptr @malloc(i64 %all)
  %none = icmp eq ptr %made, null
  br i1 %none, label %end, label %fill
fill:
  %start = ptrtoint ptr %made to i64
  %least = add i64 %start, %head
  %over = urem i64 %least, %wide
  %place = sub i64 %least, %over
  %data = inttoptr i64 %place to ptr
  call void @gambito_fill(ptr %made, ptr null, ptr null, ptr %data, i64 %size)
  br label %end
end:
  ret ptr %made
}

define ptr @NRT_MemInfo_alloc_safe_aligned(i64 %size, i32 %align) {
  %made = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align)
  ret ptr %made
}

define ptr @NRT_MemInfo_alloc(i64 %size) {
  %made = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  ret ptr %made
}

define ptr @NRT_MemInfo_alloc_safe(i64 %size) {
  %made = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  ret ptr %made
}

; What has a mark in its last word is a part of other memory, and is not freed here.
define void @NRT_MemInfo_call_dtor(ptr %memory) {
  %dtor_place = getelementptr %MemInfo, ptr %memory, i32 0, i32 1
  %dtor = load ptr, ptr %dtor_place
  %none = icmp eq ptr %dtor, null
  br i1 %none, label %own, label %more
more:
  %info_place = getelementptr %MemInfo, ptr %memory, i32 0, i32 2
  %info = load ptr, ptr %info_place
  %data_place = getelementptr %MemInfo, ptr %memory, i32 0, i32 3
  %data = load ptr, ptr %data_place
  %size_place = getelementptr %MemInfo, ptr %memory, i32 0, i32 4
  %size = load i64, ptr %size_place
  call void %dtor(ptr %data, i64 %size, ptr %info)
  br label %own
own:
  %outer_place = getelementptr %MemInfo, ptr %memory, i32 0, i32 5
  %outer = load ptr, ptr %outer_place
  %is_part = icmp ne ptr %outer, null
  br i1 %is_part, label %end, label %drop
drop:
  call void @free(ptr %memory)
  br label %end
end:
  ret void
}

; ---- lists: memory whose size changes; `info` is what drops the items -------------------------------------

define void @gambito_drop_list(ptr %data, i64 %size, ptr %info) {
  %none = icmp eq ptr %info, null
  br i1 %none, label %end, label %items
items:
  call void %info(ptr %data)
  br label %end
end:
  call void @free(ptr %data)
  ret void
}

define ptr @NRT_MemInfo_new_varsize_dtor(i64 %size, ptr %items) {
  %made = call ptr @malloc(i64 48)
  %data = call ptr @malloc(i64 %size)
  %none = icmp eq ptr %made, null
  %empty = icmp eq ptr %data, null
  %failed = or i1 %none, %empty
  br i1 %failed, label %back, label %fill
fill:
  call void @gambito_fill(ptr %made, ptr @gambito_drop_list, ptr %items, ptr %data, i64 %size)
  ret ptr %made
back:
  call void @free(ptr %made)
  call void @free(ptr %data)
  ret ptr null
}

define ptr @NRT_MemInfo_new_varsize(i64 %size) {
  %made = call ptr @NRT_MemInfo_new_varsize_dtor(i64 %size, ptr null)
  ret ptr %made
}

define ptr @NRT_MemInfo_varsize_alloc(ptr %memory, i64 %size) {
  %data = call ptr @malloc(i64 %size)
  %held = call ptr @gambito_hold(ptr %memory, ptr %data, i64 %size)
  ret ptr %held
}

define ptr @NRT_MemInfo_varsize_realloc(ptr %memory, i64 %size) {
  %data_place = getelementptr %MemInfo, ptr %memory, i32 0, i32 3
  %old = load ptr, ptr %data_place
  %data = call ptr @realloc(ptr %old, i64 %size)
  %held = call ptr @gambito_hold(ptr %memory, ptr %data, i64 %size)
  ret ptr %held
}

define ptr @gambito_hold(ptr %memory, ptr %data, i64 %size) {
  %none = icmp eq ptr %data, null
  br i1 %none, label %end, label %fill
fill:
  %data_place = getelementptr %MemInfo, ptr %memory, i32 0, i32 3
  store ptr %data, ptr %data_place
  %size_place = getelementptr %MemInfo, ptr %memory, i32 0, i32 4
  store i64 %size, ptr %size_place
  br label %end
end:
  ret ptr %data
}

define void @NRT_MemInfo_varsize_free(ptr %memory, ptr %old) {
  call void @free(ptr %old)
  %data_place = getelementptr %MemInfo, ptr %memory, i32 0, i32 3
  %now = load ptr, ptr %data_place
  %same = icmp eq ptr %now, %old
  br i1 %same, label %clear, label %end
clear:
  store ptr null, ptr %data_place
  br label %end
end:
  ret void
}

; ---- shapes -----------------------------------------------------------------------------------------------

define i64 @gambito_items(i64 %axes, ptr %lengths) {
entry:
  br label %check
check:
  %axis = phi i64 [ 0, %entry ], [ %next, %body ]
  %items = phi i64 [ 1, %entry ], [ %more, %body ]
  %done = icmp eq i64 %axis, %axes
  br i1 %done, label %end, label %body
body:
  %place = getelementptr i64, ptr %lengths, i64 %axis
  %length = load i64, ptr %place
  %more = mul i64 %items, %length
  %next = add i64 %axis, 1
  br label %check
end:
  ret i64 %items
}

; The strides of an array in another shape, in C order, if it can have that without a copy; else 0. From the
; last axis to the first, old axes that lie side by side form a run, and new axes must fill it exactly.
define i32 @numba_attempt_nocopy_reshape(i64 %axes, ptr %lengths, ptr %strides, i64 %new_axes,
                                         ptr %new_lengths, ptr %new_strides, i64 %item, i32 %order) {
entry:
  %old_items = call i64 @gambito_items(i64 %axes, ptr %lengths)
  %new_items = call i64 @gambito_items(i64 %new_axes, ptr %new_lengths)
  %alike = icmp eq i64 %old_items, %new_items
  br i1 %alike, label %sized, label %refuse
sized:
  %last = sub i64 %axes, 1
  %new_last = sub i64 %new_axes, 1
  %is_empty = icmp eq i64 %old_items, 0
  %is_number = icmp eq i64 %axes, 0
  %is_simple = or i1 %is_empty, %is_number
  br i1 %is_simple, label %simple, label %first
first:
  %last_place = getelementptr i64, ptr %strides, i64 %last
  %last_stride = load i64, ptr %last_place
  br label %old

simple:
  %s = phi i64 [ 0, %sized ], [ %s_next, %simple_fill ]
  %s_done = icmp eq i64 %s, %new_axes
  br i1 %s_done, label %accept, label %simple_fill
simple_fill:
  %s_place = getelementptr i64, ptr %new_strides, i64 %s
  store i64 %item, ptr %s_place
  %s_next = add i64 %s, 1
  br label %simple

old:
  %axis = phi i64 [ %last, %first ], [ %axis_less, %joined ], [ %axis_less, %next_run ]
  %base = phi i64 [ %last_stride, %first ], [ %base, %joined ], [ %before_stride, %next_run ]
  %run_before = phi i64 [ 1, %first ], [ %run, %joined ], [ 1, %next_run ]
  %new_axis = phi i64 [ %new_last, %first ], [ %new_axis, %joined ], [ %n, %next_run ]
  %length_place = getelementptr i64, ptr %lengths, i64 %axis
  %length = load i64, ptr %length_place
  %run = mul i64 %run_before, %length
  %axis_less = sub i64 %axis, 1
  %is_first = icmp eq i64 %axis, 0
  br i1 %is_first, label %fill, label %look
look:
  %before_length_place = getelementptr i64, ptr %lengths, i64 %axis_less
  %before_length = load i64, ptr %before_length_place
  %before_stride_place = getelementptr i64, ptr %strides, i64 %axis_less
  %before_stride_seen = load i64, ptr %before_stride_place
  %run_bytes = mul i64 %run, %base
  %is_one = icmp eq i64 %before_length, 1
  %is_beside = icmp eq i64 %before_stride_seen, %run_bytes
  %goes_on = or i1 %is_one, %is_beside
  br i1 %goes_on, label %joined, label %fill
joined:
  br label %old

fill:
  %before_stride = phi i64 [ 0, %old ], [ %before_stride_seen, %look ]
  br label %new
new:
  %n = phi i64 [ %new_axis, %fill ], [ %n_less, %new_fill ]
  %filled = phi i64 [ 1, %fill ], [ %filled_more, %new_fill ]
  %is_through = icmp slt i64 %n, 0
  br i1 %is_through, label %compare, label %new_look
new_look:
  %n_length_place = getelementptr i64, ptr %new_lengths, i64 %n
  %n_length = load i64, ptr %n_length_place
  %is_room = icmp slt i64 %filled, %run
  %n_is_one = icmp eq i64 %n_length, 1
  %takes = or i1 %is_room, %n_is_one
  br i1 %takes, label %new_fill, label %compare
new_fill:
  %n_stride = mul i64 %filled, %base
  %n_place = getelementptr i64, ptr %new_strides, i64 %n
  store i64 %n_stride, ptr %n_place
  %filled_more = mul i64 %filled, %n_length
  %n_less = sub i64 %n, 1
  br label %new
compare:
  %fits = icmp eq i64 %filled, %run
  br i1 %fits, label %next, label %refuse
next:
  br i1 %is_first, label %accept, label %next_run
next_run:
  br label %old

accept:
  ret i32 1
refuse:
  ret i32 0
}
"""


def add_runtime(module: Any) -> None:
    """Link in the functions that a module asks for."""
    if not any(function.is_declaration and function.name.startswith(NAMES) for function in module.functions):
        return
    runtime = llvm.parse_assembly(_TEXT)
    runtime.data_layout, runtime.triple = module.data_layout, module.triple
    for function in runtime.functions:
        if not function.is_declaration:
            function.linkage = "linkonce_odr"  # those that nothing calls are dropped
    module.link_in(runtime)
