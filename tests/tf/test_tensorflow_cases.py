"""Every recorded TensorFlow case gives what TensorFlow gave, but for those listed here with their reason."""

import pytest

from tests.tf.cases import CASES, run

#: gradcli differs on purpose: docs/decisions/0003 says why, with the mathematics
ON_PURPOSE = {
    "flow-tf-cond-in-function": "graphs: a branch not taken in a traced function gives 0; here functions run eagerly",
    "jvp-stop-gradient-floor": "the tangent of sign is 0 (its derivative is 0 wherever it exists), TensorFlow gives None",
    "noz-is-nan": "is_nan as a target is None with its reason, as for every step function; TensorFlow raises LookupError",
    "sing-relu-family": "leaky_relu(-1) with alpha 0.2 is -0.2; TensorFlow rounds alpha to float32, -0.20000000298",
    "sing-cumprod-zeros": "d/dx2 of x1 + x1 x2 + x1 x2 x3 is x1 + x1 x3 at a zero too; TensorFlow divides by the zero",
    "shape-slice-errors": "x[[0, 1]] takes entries 0 and 1, as in NumPy; TensorFlow refuses",
    "slices-arithmetic": "the gradient of a gather is a dense tensor, which can be multiplied; IndexedSlices cannot",
    "shape-dynamic-partition-stitch": "an entry that another overwrote has the gradient 0; TensorFlow gives it the other's",
    "matmul-rank1-error": "a vector times a matrix is a vector, as in NumPy; TensorFlow refuses",
    "linalg-det": "the gradient of det at a singular matrix is its cofactors; TensorFlow inverts the matrix and refuses",
    "conv2d-explicit-padding-dilation": "the gradient of a dilated convolution is computed; TensorFlow has none on a CPU",
    "sing-xlogx": "d/dx x log(y) is log(y) at x = 0 too; TensorFlow gives 0 there",
    "softmax-ce-labels-not-normalised": "d/dl of -sum(z log softmax(l)) is sum(z) softmax(l) - z; TensorFlow leaves out sum(z)",
    "recompute-forward-mode": "forward mode goes through a recomputed function; TensorFlow refuses",
    "keras-losses": "log_cosh of float64 takes all digits of log 2; Keras rounds it to float32",
}
#: needs what gradcli does not have yet: `v.value()` as a method, `v[0].assign(…)`
PENDING = {"watched-variables-what-counts-as-access", "var-item-assignment"}


def settled(case):
    return case["id"] not in PENDING and case["id"] not in ON_PURPOSE


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if settled(case)])
def test_a_case(name):
    assert run(CASES[name]) is None


@pytest.mark.parametrize("name", ON_PURPOSE)
def test_what_differs_on_purpose_still_differs(name):
    assert run(CASES[name]) is not None
