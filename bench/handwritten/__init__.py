"""Hand-written rivals: each operation forward and backward in NumPy, as a competent engineer would write it by hand."""

from . import arrays, elementwise, matrices, networks, places
from .rival import Rival

#: name of the operation → its rival
RIVALS: dict[str, Rival] = {}
for module in (elementwise, arrays, matrices, networks, places):
    RIVALS.update(module.RIVALS)

#: operations that no program calls by itself: what they are measured with
PARTS = {
    "tanh_slope": "tanh", "sigmoid_slope": "sigmoid", "relu_gradient": "relu", "normal_distribution": "gelu",
    "sinc_derivative": "sinc", "cofactors": "det", "slogdet_sign": "slogdet", "slogdet_log": "slogdet",
    "qr_matrix": "qr", "complement": "qr", "eigh_matrix": "eigh", "svd_matrix": "svd", "solve_system": "solve",
    "running_product": "cumprod", "running_logsumexp": "cumulative_logsumexp", "contract": "einsum",
    "convolve": "conv2d", "convolve_back": "conv2d_transpose", "correlate": "conv2d", "put_index": "index",
    "segment_extreme": "segment_max", "cast_float": "cast", "array_norm": "norm", "patches": "avg_pool",
    "fold": "avg_pool", "pad_with_zeros": "pad", "in_order": "sort", "one_minus_square": "asin",
    "determinant_form": "det",
}  # fmt: skip

#: operations without a rival, and why
WITHOUT = {
    "identity": "does nothing forward and backward",
    "fill": "its operand is one number",
    "linspace": "its operands are two numbers",
    "complex": "two copies; measured with real and imag",
    "random.normal": "the generator is NumPy's own; a shift and a scale behind it",
    "random.uniform": "the generator is NumPy's own; a shift and a scale behind it",
    "digamma": "a series written here; NumPy has none, SciPy's is compiled",
    "lgamma": "a series written here; NumPy has none, SciPy's is compiled",
    "polygamma": "a series written here; NumPy has none, SciPy's is compiled",
    "erf": "a series written here; NumPy has none, SciPy's is compiled",
    "erfc": "a series written here; NumPy has none, SciPy's is compiled",
    "erfinv": "Newton steps on erf, which is written here",
    "gelu": "erf is written here; NumPy has none",
    "sqrtm": "by the Schur form, of which NumPy has none",
    "resize": "gathers and weighs four neighbours: measured with gather and multiply",
    "dynamic_partition": "as many results as there are partitions: measured with boolean_mask",
    "dynamic_stitch": "measured with concat and gather",
    "global_norm": "a list of norms: measured with norm",
    "clip_by_global_norm": "a list of norms and scales: measured with norm and multiply",
    "separable_conv2d": "two convolutions: measured with depthwise_conv2d and conv2d",
    "conv2d_transpose": "the gradient of conv2d; measured there",
    "expm": "a Padé approximation, of which NumPy has none",
    "eigh": "the vectors' part of the rule follows conventions of sign and triangle; measured with eigvalsh",
    "svd": "the rule follows conventions of sign; its parts are NumPy's svd and four products",
    "qr": "the rule follows conventions of sign; its parts are NumPy's qr and a triangular solution",
    "meshgrid": "two broadcasts: measured with broadcast_to",
}
