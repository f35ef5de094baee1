"""Tensors without entries: the value that follows from the definition, and an empty gradient."""

import numpy as np
import pytest

from gradcli.engine import GradientTape, constant, lookup

INF, NAN = np.inf, np.nan

#: operation, shapes of its operands, parameters, shape and entry of the value (None: it has no entries)
EMPTY = [
    ("reduce_sum", [(0,)], {}, (), 0.0), ("reduce_sum", [(0, 3)], {"axis": 0}, (3,), 0.0), ("reduce_prod", [(0,)], {}, (), 1.0),
    ("reduce_prod", [(0, 3)], {"axis": 1}, (0,), None), ("reduce_prod", [(3, 0)], {"axis": 1}, (3,), 1.0),
    ("reduce_max", [(0,)], {}, (), -INF), ("reduce_min", [(0,)], {}, (), INF), ("reduce_mean", [(0,)], {}, (), NAN),
    ("reduce_logsumexp", [(0,)], {}, (), -INF), ("reduce_euclidean_norm", [(0,)], {}, (), 0.0),
    ("softmax", [(0,)], {}, (0,), None), ("softmax", [(2, 0)], {}, (2, 0), None), ("log_softmax", [(0, 3)], {}, (0, 3), None),
    ("cumsum", [(0,)], {}, (0,), None), ("cumsum", [(2, 0)], {"axis": 1, "exclusive": True}, (2, 0), None),
    ("cumprod", [(0, 2)], {}, (0, 2), None), ("cumprod", [(0, 2)], {"axis": 1}, (0, 2), None), ("sort", [(0,)], {}, (0,), None),
    ("matmul", [(2, 0), (0, 3)], {}, (2, 3), 0.0), ("matmul", [(0, 2), (2, 3)], {}, (0, 3), None),
    ("outer", [(0,), (3,)], {}, (0, 3), None), ("vdot", [(0,), (0,)], {}, (), 0.0), ("kron", [(0, 2), (2, 2)], {}, (0, 4), None),
    ("conv2d", [(0, 3, 3, 2), (2, 2, 2, 1)], {}, (0, 2, 2, 1), None), ("conv2d", [(1, 3, 3, 0), (2, 2, 0, 2)], {}, (1, 2, 2, 2), 0.0),
    ("conv2d", [(1, 3, 3, 2), (2, 2, 2, 0)], {}, (1, 2, 2, 0), None), ("avg_pool", [(1, 4, 4, 0)], {"ksize": 2}, (1, 2, 2, 0), None),
    ("max_pool", [(0, 4, 4, 1)], {"ksize": 2}, (0, 2, 2, 1), None), ("depthwise_conv2d", [(1, 3, 3, 0), (2, 2, 0, 1)], {}, (1, 2, 2, 0), None),
    ("inv", [(0, 3, 3)], {}, (0, 3, 3), None), ("inv", [(0, 0)], {}, (0, 0), None), ("det", [(0, 0)], {}, (), 1.0),
    ("det", [(2, 0, 0)], {}, (2,), 1.0), ("det", [(0, 2, 2)], {}, (0,), None), ("trace", [(0, 0)], {}, (), 0.0),
    ("expm", [(0, 0)], {}, (0, 0), None), ("expm", [(0, 2, 2)], {}, (0, 2, 2), None), ("sqrtm", [(0, 2, 2)], {}, (0, 2, 2), None),
    ("cholesky", [(0, 2, 2)], {}, (0, 2, 2), None), ("solve", [(0, 2, 2), (0, 2, 1)], {}, (0, 2, 1), None),
    ("transpose", [(0, 3)], {}, (3, 0), None), ("reshape", [(0, 3)], {"shape": [3, 0, 2]}, (3, 0, 2), None), ("tile", [(2,)], {"multiples": [0]}, (0,), None),
    ("repeat", [(3,)], {"repeats": 0}, (0,), None), ("broadcast_to", [(1,)], {"shape": [0]}, (0,), None), ("reverse", [(0,)], {"axis": [0]}, (0,), None),
    ("diff", [(0,)], {}, (0,), None), ("l2_loss", [(0,)], {}, (), 0.0), ("l2_normalize", [(0,)], {}, (0,), None), ("pad", [(0,)], {"paddings": [[1, 1]]}, (2,), 0.0),
]  # fmt: skip


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("name", "shapes", "params", "shape", "entry"), EMPTY)
def test_nothing(name, shapes, params, shape, entry, dtype):
    xs = [constant(np.ones(s, dtype)) for s in shapes]
    with np.errstate(all="ignore"), GradientTape() as tape:
        tape.watch(xs)
        y = lookup(name).call(*xs, **params)
    assert (y.shape, y.dtype) == (shape, dtype)
    assert (y.size == 0) == (entry is None)
    if entry is not None:
        np.testing.assert_array_equal(y.numpy(), np.full(shape, entry, dtype))
    for x, grad in zip(xs, tape.gradient(y, xs, unconnected_gradients="zero")):
        assert (grad.shape, grad.dtype) == (x.shape, dtype)
        assert not np.any(grad.numpy())  # nothing, or entries on which nothing depends
