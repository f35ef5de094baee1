"""The words of errors about modules, layers, losses and optimizers."""

from __future__ import annotations

from typing import Any

from .entries import entry
from .words import Words, kind, names, plural, shape


@entry("shape-mismatch", "weight")
def _weight(f: dict[str, Any]) -> Words:
    want, have = f["shapes"]
    return Words(f"{f['op']}: {f['name']} must have shape {shape(want)}, the one given has {shape(have)}")


@entry("dtype-mismatch", "weight")
def _weight_dtype(f: dict[str, Any]) -> Words:
    want, have = f["dtypes"]
    return Words(
        f"{f['op']}: {f['name']} must be {want}, the one given is {have}",
        f'give the layer `dtype="{have}"`, or cast it',
    )


@entry("shape-mismatch", "layer-input")
def _layer_input(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['op']} was built for inputs of length {f['length']} along its axis, not for shape {shape(f['shapes'][0])}",
        "the first call builds a layer: for inputs of two lengths make two layers",
    )


@entry("shape-mismatch", "layer-rank")
def _layer_rank(f: dict[str, Any]) -> Words:
    axes = {3: "[batch, length, features]", 4: "[batch, height, width, channels]"}.get(f["rank"], "")
    return Words(
        f"{f['op']} takes inputs of {f['rank']} axes{f' {axes}' if axes else ''}, not of shape {shape(f['shapes'][0])}",
        "put `expand_dims(x, axis)` in front for an axis that is missing",
    )


@entry("shape-mismatch", "layer-batch")
def _layer_batch(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['op']} takes a batch [batch, length], not shape {shape(f['shapes'][0])}",
        "for one example write `layer([x])`, or `layer(reshape(x, [1, -1]))`",
    )


@entry("shape-mismatch", "layer-state")
def _layer_state(f: dict[str, Any]) -> Words:
    want, *have = f["shapes"]
    given = names((shape(s) for s in have), quote=False)
    return Words(f"{f['op']}: initial_state is {plural(f['wanted'], 'tensor')} of shape {shape(want)}, not {given}")


@entry("shape-mismatch", "loss")
def _loss(f: dict[str, Any]) -> Words:
    true, pred = f["shapes"]
    hint = "reshape one of them"
    if len(true) == len(pred) - 1 and f["op"] == "categorical_crossentropy":
        hint = "for class numbers write `sparse_categorical_crossentropy`"
    return Words(f"{f['op']} compares shape {shape(true)} with shape {shape(pred)}: they must be the same", hint)


@entry("shape-mismatch", "labels")
def _labels(f: dict[str, Any]) -> Words:
    labels, scores = f["shapes"]
    return Words(
        f"{f['op']}: labels of shape {shape(labels)} for rows of shape {shape(scores)}",
        "there is one label, a whole number, for each row",
    )


@entry("index-out-of-range", "label")
def _label(f: dict[str, Any]) -> Words:
    at = ", ".join(str(i) for i in f["position"])
    return Words(
        f"{f['op']}: the label {f['given']} at position {at} names no class",
        f"there are {f['classes']} classes: labels go from 0 to {f['classes'] - 1}",
    )


@entry("bad-value", "empty-batch")
def _empty(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: the batch is empty (shape {shape(f['shape'])}): it has no mean", "skip a batch of 0 rows")


@entry("bad-value", "empty-sequence")
def _empty_sequence(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: the sequences have length 0 (shape {shape(f['shape'])})")


@entry("bad-value", "layer-lengths")
def _lengths(f: dict[str, Any]) -> Words:
    what = "a whole number above 0" if f["rank"] == 1 else f"one or {f['rank']} whole numbers above 0"
    return Words(f"{f['op']}: {f['argument']} is {what}, not {f['given']}")


@entry("bad-value", "layer-groups")
def _groups(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: {f['given']} channels or filters cannot be cut into {f['groups']} groups")


@entry("bad-value", "weights-count")
def _weights_count(f: dict[str, Any]) -> Words:
    holds = f"{f['op']} holds {plural(f['wanted'], 'variable')}"
    hint = f"in this order: {names(f['known'])}" if f["known"] else "a layer has variables once it was called or built"
    return Words(f"{holds}; {plural(f['given'], 'array')} were given", hint)


@entry("bad-value", "no-variables")
def _no_variables(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['op']} has no variables yet", "a layer has them once it was called, or built with `.build(shape)`"
    )


def _spec(spec: Any) -> str:
    return f"{spec[0]} {shape(spec[1])}"


@entry("bad-value", "weights")
def _weights(f: dict[str, Any]) -> Words:
    lines = {
        "missing": lambda path, want, have: f"{path}: missing, must be {_spec(want)}",
        "differs": lambda path, want, have: f"{path}: must be {_spec(want)}, is {_spec(have)}",
        "unknown": lambda path, want, have: f"{path}: not a variable of this module",
    }
    details = tuple(lines[what](path, want, have) for what, path, want, have in f["wrong"])
    return Words(
        f"these weights are for another architecture than {f['op']}: {plural(len(details), 'entry')} "
        f"{'does' if len(details) == 1 else 'do'} not fit",
        "nothing was set",
        details=details,
    )


@entry("not-a-tensor", "layer")
def _layer(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['op']} is made of layers, modules and functions of a tensor, not of {kind(f['type'])}",
        "write a layer with its brackets: `Flatten()`",
    )


@entry("not-a-tensor", "variable-expected")
def _variable(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['op']} steps variables, not {kind(f['type'])}", "write `opt.apply(grads, model.trainable_variables)`"
    )


@entry("not-a-tensor", "no-call")
def _no_call(f: dict[str, Any]) -> Words:
    return Words(
        f"the module {f['op']} has no function `call`, so it cannot be called", "write `def call(x) = …` in it"
    )


@entry("wrong-arguments", "one-of")
def _one_of(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']}: {names(f['names'])} are given; only one of them can be")


@entry("wrong-arguments", "pairs")
def _pairs(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['op']}: {plural(f['given'], 'gradient')} for {plural(f['wanted'], 'variable')}",
        "ask the gradient in the same list of variables",
    )


@entry("wrong-arguments", "gradient-pairs")
def _gradient_pairs(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['op']}: apply_gradients takes pairs of a gradient and its variable, not {f['given']}",
        "write `opt.apply(grads, variables)`, or `opt.apply_gradients(zip(grads, variables))`",
    )


@entry("shape-mismatch", "gradient")
def _gradient_shape(f: dict[str, Any]) -> Words:
    want, have = f["shapes"]
    return Words(f"{f['op']}: the gradient of {f['name']} has shape {shape(have)}, the variable has {shape(want)}")


@entry("dtype-mismatch", "gradient")
def _gradient_dtype(f: dict[str, Any]) -> Words:
    want, have = f["dtypes"]
    return Words(
        f"{f['op']}: the gradient of {f['name']} is {have}, the variable is {want}", f'write `cast(grad, "{want}")`'
    )


@entry("no-gradients", "all-none")
def _all_none(f: dict[str, Any]) -> Words:
    reasons = f.get("reasons") or [""] * len(f["variables"])
    lines = tuple(
        f"{name or 'variable'}: none" + (f" ({reason})" if reason else "")
        for name, reason in zip(f["variables"], reasons)
    )
    first = next((reason for reason in reasons if reason), "")
    hint = (
        f"`gradcli explain {first}` tells what to change" if first else "there is no path from the target to a variable"
    )
    return Words(f"{f['op']}: every gradient is none, so there is no step to take", hint, details=lines)


@entry("cannot-assign", "read-only")
def _read_only(f: dict[str, Any]) -> Words:
    return Words(f"{f['name']} of {f['of']} cannot be assigned", "make a new one with other arguments")


@entry("cannot-assign", "module-variable")
def _module_variable(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['name']} is a variable of a module: an assignment would put another thing in its place",
        f"write `….{f['name']}.assign(…)`",
    )
