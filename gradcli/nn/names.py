"""Where each public name lives, so that a file is imported when one of its names is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

#: family → file → names
FAMILIES: dict[str, dict[str, str]] = {
    "layers": {
        "dense": "Dense Embedding Flatten Activation Dropout",
        "convolution": "Conv1D Conv2D",
        "pooling": "MaxPooling1D MaxPooling2D AveragePooling1D AveragePooling2D GlobalAveragePooling1D "
        "GlobalAveragePooling2D GlobalMaxPooling1D GlobalMaxPooling2D",
        "normalization": "BatchNormalization LayerNormalization",
        "recurrent": "SimpleRNN LSTM GRU",
        "attention": "MultiHeadAttention",
        "sequential": "Sequential",
    },
    "initializers": {
        "initializers": "glorot_uniform glorot_normal he_uniform he_normal lecun_uniform lecun_normal "
        "truncated_normal orthogonal",
    },
    "losses": {
        "losses": "mean_squared_error mean_absolute_error huber log_cosh hinge squared_hinge categorical_hinge "
        "binary_crossentropy categorical_crossentropy sparse_categorical_crossentropy kl_divergence poisson "
        "cosine_similarity binary_focal_crossentropy categorical_focal_crossentropy",
        "metric_losses": "contrastive_loss info_nce triplet_loss triplet_all_loss triplet_hard_loss "
        "triplet_semihard_loss",
    },
    "optimizers": {"optimizers": "SGD Adam AdamW RMSprop Adagrad"},
}
#: other names that Keras has for them
ALIASES = {
    "MaxPool1D": "MaxPooling1D", "MaxPool2D": "MaxPooling2D", "AvgPool1D": "AveragePooling1D",
    "AvgPool2D": "AveragePooling2D", "GlobalAvgPool1D": "GlobalAveragePooling1D",
    "GlobalAvgPool2D": "GlobalAveragePooling2D", "GlobalMaxPool1D": "GlobalMaxPooling1D",
    "GlobalMaxPool2D": "GlobalMaxPooling2D", "MSE": "mean_squared_error", "mse": "mean_squared_error",
    "MAE": "mean_absolute_error", "mae": "mean_absolute_error", "KLD": "kl_divergence", "logcosh": "log_cosh",
}  # fmt: skip
#: name → (family, file)
PLACES: dict[str, tuple[str, str]] = {
    name: (family, file)
    for family, files in FAMILIES.items()
    for file, names in files.items()
    for name in names.split()
}


def find(name: str) -> Any:
    """The class or function of a name or alias; None if there is none."""
    name = ALIASES.get(name, name)
    place = PLACES.get(name)
    if place is None:
        return None
    return getattr(import_module(f".{place[1]}", __package__), name)


def parameters(made: Any) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The names of what a class or function of this package takes, and the defaults of those that have one."""
    import inspect  # slow to import, and only who calls a layer needs it

    function = made.__init__ if inspect.isclass(made) else getattr(made, "per_example", made)
    found = [p for name, p in inspect.signature(function).parameters.items() if name != "self"]
    names = [p.name for p in found]
    defaults = {p.name: p.default for p in found if p.default is not p.empty}
    if hasattr(made, "per_example"):
        names.append("reduction")
        defaults["reduction"] = "mean"
    return tuple(names), defaults
