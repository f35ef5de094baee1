"""Makes the files beside it: what Keras on TensorFlow gives for layers, losses, optimizers and a training run.

Run it with `python make_keras.py` where TensorFlow is installed; the versions are written into each file. Numbers are
recorded as float64 text; `float32` cases are runs of Keras in float32. Float64 cases run with float64 as Keras's default
too: otherwise it keeps the learning rate and other numbers in float32.
"""

import inspect
import itertools
import json
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import keras
import numpy as np
import tensorflow as tf

HERE = Path(__file__).parent
VERSIONS = {"tensorflow": tf.__version__, "keras": keras.__version__, "numpy": np.__version__}
DTYPES = ("float32", "float64")
MHA = [f"{part}_{kind}" for part in ("query", "key", "value", "output") for kind in ("kernel", "bias")]

#: (layer, arguments, shapes of the inputs, arguments of the call)
LAYERS = [
    ("Dense", {"units": 3}, [(4, 2)], {}),
    ("Dense", {"units": 2, "activation": "relu"}, [(3, 4)], {}),
    ("Dense", {"units": 2, "activation": "softmax", "use_bias": False}, [(2, 3, 4)], {}),
    ("Dense", {"units": 3, "activation": "gelu"}, [(2, 2)], {}),
    ("Embedding", {"input_dim": 5, "output_dim": 3}, [(2, 4)], {}),
    ("Conv1D", {"filters": 3, "kernel_size": 2}, [(2, 5, 2)], {}),
    ("Conv1D", {"filters": 2, "kernel_size": 3, "strides": 2, "padding": "same", "activation": "tanh"}, [(2, 6, 3)], {}),
    ("Conv1D", {"filters": 2, "kernel_size": 3, "padding": "causal", "dilation_rate": 2}, [(1, 7, 2)], {}),
    ("Conv1D", {"filters": 4, "kernel_size": 2, "groups": 2}, [(2, 5, 4)], {}),
    ("Conv2D", {"filters": 3, "kernel_size": 2}, [(2, 4, 5, 2)], {}),
    ("Conv2D", {"filters": 2, "kernel_size": [3, 2], "strides": [2, 1], "padding": "same"}, [(1, 5, 4, 3)], {}),
    ("Conv2D", {"filters": 2, "kernel_size": 2, "dilation_rate": 2, "use_bias": False}, [(1, 5, 5, 1)], {}),
    ("Conv2D", {"filters": 4, "kernel_size": 2, "groups": 2, "activation": "sigmoid"}, [(1, 3, 3, 4)], {}),
    ("MaxPooling1D", {"pool_size": 2}, [(2, 6, 3)], {}),
    ("MaxPooling1D", {"pool_size": 3, "strides": 2, "padding": "same"}, [(1, 6, 2)], {}),
    ("MaxPooling2D", {"pool_size": 2}, [(2, 4, 5, 2)], {}),
    ("MaxPooling2D", {"pool_size": [2, 3], "strides": 1, "padding": "same"}, [(1, 4, 4, 2)], {}),
    ("AveragePooling1D", {"pool_size": 2, "strides": 1}, [(2, 5, 2)], {}),
    ("AveragePooling2D", {"pool_size": 2}, [(1, 4, 4, 3)], {}),
    ("AveragePooling2D", {"pool_size": 3, "strides": 2, "padding": "same"}, [(1, 5, 5, 2)], {}),
    ("GlobalAveragePooling1D", {}, [(2, 4, 3)], {}),
    ("GlobalAveragePooling2D", {"keepdims": True}, [(2, 3, 4, 2)], {}),
    ("GlobalMaxPooling1D", {}, [(2, 4, 3)], {}),
    ("GlobalMaxPooling2D", {}, [(2, 3, 4, 2)], {}),
    ("BatchNormalization", {}, [(5, 3)], {"training": True}),
    ("BatchNormalization", {}, [(5, 3)], {"training": False}),
    ("BatchNormalization", {"momentum": 0.9, "epsilon": 0.01, "scale": False}, [(2, 3, 4)], {"training": True}),
    ("BatchNormalization", {"axis": 1, "center": False}, [(2, 3, 4)], {"training": True}),
    ("LayerNormalization", {}, [(3, 4)], {}),
    ("LayerNormalization", {"axis": [1, 2], "epsilon": 0.01}, [(2, 3, 4)], {}),
    ("LayerNormalization", {"axis": 1, "center": False}, [(2, 3, 4)], {}),
    ("Flatten", {}, [(2, 3, 4)], {}),
    ("Activation", {"activation": "selu"}, [(2, 3)], {}),
    ("SimpleRNN", {"units": 3}, [(2, 4, 2)], {}),
    ("SimpleRNN", {"units": 2, "return_sequences": True, "go_backwards": True, "use_bias": False}, [(2, 3, 2)], {}),
    ("LSTM", {"units": 3}, [(2, 4, 2)], {}),
    ("LSTM", {"units": 2, "return_sequences": True, "activation": "relu", "recurrent_activation": "hard_sigmoid"},
     [(2, 3, 2)], {}),
    ("GRU", {"units": 3}, [(2, 4, 2)], {}),
    ("GRU", {"units": 2, "reset_after": False, "return_sequences": True}, [(2, 3, 2)], {}),
    ("MultiHeadAttention", {"num_heads": 2, "key_dim": 3}, [(2, 3, 4), (2, 5, 4)], {}),
    ("MultiHeadAttention", {"num_heads": 2, "key_dim": 2, "value_dim": 3, "output_shape": 5}, [(1, 3, 4), (1, 3, 6)],
     {"use_causal_mask": True}),
]  # fmt: skip

#: (loss, arguments, kind of labels)
LOSSES = [
    ("mean_squared_error", {}, "real"), ("mean_absolute_error", {}, "real"), ("huber", {}, "real"),
    ("huber", {"delta": 0.5}, "real"), ("log_cosh", {}, "real"), ("hinge", {}, "binary"), ("hinge", {}, "sign"),
    ("squared_hinge", {}, "binary"), ("categorical_hinge", {}, "onehot"),
    ("binary_crossentropy", {}, "binary"), ("binary_crossentropy", {"from_logits": True}, "binary"),
    ("binary_crossentropy", {"label_smoothing": 0.1}, "binary"), ("categorical_crossentropy", {}, "onehot"),
    ("categorical_crossentropy", {"from_logits": True, "label_smoothing": 0.2}, "onehot"),
    ("sparse_categorical_crossentropy", {}, "class"), ("sparse_categorical_crossentropy", {"from_logits": True}, "class"),
    ("kl_divergence", {}, "distribution"), ("poisson", {}, "count"), ("cosine_similarity", {}, "real"),
    ("binary_focal_crossentropy", {}, "binary"),
    ("binary_focal_crossentropy", {"apply_class_balancing": True, "alpha": 0.3, "gamma": 1.5}, "binary"),
    ("binary_focal_crossentropy", {"from_logits": True}, "binary"), ("categorical_focal_crossentropy", {}, "onehot"),
    ("categorical_focal_crossentropy", {"from_logits": True, "gamma": 3.0}, "onehot"),
]  # fmt: skip

OPTIMIZERS = [
    ("SGD", {"learning_rate": 0.1}), ("SGD", {"learning_rate": 0.1, "momentum": 0.9}),
    ("SGD", {"learning_rate": 0.1, "momentum": 0.9, "nesterov": True}),
    ("SGD", {"learning_rate": 0.1, "weight_decay": 0.05}), ("SGD", {"learning_rate": 0.1, "clipnorm": 0.5}),
    ("SGD", {"learning_rate": 0.1, "clipvalue": 0.3}), ("SGD", {"learning_rate": 0.1, "global_clipnorm": 0.7}),
    ("Adam", {}), ("Adam", {"learning_rate": 0.05, "beta_1": 0.8, "beta_2": 0.95, "epsilon": 1e-4}),
    ("Adam", {"learning_rate": 0.05, "amsgrad": True}), ("AdamW", {"learning_rate": 0.05}),
    ("RMSprop", {"learning_rate": 0.05}), ("RMSprop", {"learning_rate": 0.05, "momentum": 0.9, "centered": True}),
    ("RMSprop", {"learning_rate": 0.05, "rho": 0.7, "momentum": 0.5}), ("Adagrad", {"learning_rate": 0.05}),
    ("Adagrad", {"learning_rate": 0.05, "initial_accumulator_value": 0.5, "epsilon": 1e-3}),
]  # fmt: skip


def numbers(value):
    return np.asarray(value, np.float64).tolist()


def layer_case(name, arguments, shapes, call, dtype, seed):
    keras.config.set_floatx(dtype)
    random = np.random.default_rng(seed)
    inputs = [random.normal(size=shape) for shape in shapes]
    if name == "Embedding":
        inputs = [random.integers(0, arguments["input_dim"], size=shapes[0])]
    keras_arguments = {k: tuple(v) if isinstance(v, list) and k != "axis" else v for k, v in arguments.items()}
    layer = getattr(keras.layers, name)(**keras_arguments, dtype=dtype)
    tensors = [tf.constant(x, None if name == "Embedding" else dtype) for x in inputs]
    layer(*tensors)
    weights = [np.abs(random.normal(size=v.shape)) if "variance" in v.name else random.normal(size=v.shape) * 0.5
               for v in layer.weights]  # fmt: skip
    layer.set_weights(weights)
    names = MHA if name == "MultiHeadAttention" else [v.path.split("/")[-1] for v in layer.weights]
    watched = [t for t in tensors if t.dtype.is_floating]
    with tf.GradientTape() as tape:
        tape.watch(watched)
        y = layer(*tensors, **call)
        upstream = np.random.default_rng(seed + 1000).normal(size=y.shape)
        target = tf.reduce_sum(y * tf.constant(upstream, dtype))
    trained = list(layer.trainable_variables)
    grads = tape.gradient(target, [*watched, *[v.value for v in trained]])
    grads = [tf.convert_to_tensor(g) for g in grads]
    of_weights = {n: g for n, v in zip(names, layer.weights) for t, g in zip(trained, grads[len(watched) :]) if t is v}
    return {
        "layer": name, "arguments": arguments, "call": call, "dtype": dtype, "inputs": [x.tolist() for x in inputs],
        "weights": {n: numbers(w) for n, w in zip(names, weights)}, "upstream": numbers(upstream), "output": numbers(y),
        "input_gradients": [numbers(g) for g in grads[: len(watched)]],
        "weight_gradients": {n: numbers(g) for n, g in of_weights.items()},
        "weights_after": {n: numbers(v) for n, v in zip(names, layer.weights)},
    }  # fmt: skip


def loss_case(name, arguments, labels, dtype, seed):
    keras.config.set_floatx(dtype)
    random = np.random.default_rng(seed)
    shape = (4, 3)
    pred = random.uniform(0.05, 0.95, size=shape)
    if labels in ("real", "sign") or arguments.get("from_logits") or "hinge" in name:
        pred = random.normal(size=shape) * 1.5
    if labels == "distribution":
        pred = pred / pred.sum(-1, keepdims=True)
    classes = random.integers(0, 3, size=4)
    true = {
        "real": random.normal(size=shape), "binary": random.integers(0, 2, size=shape).astype(float),
        "sign": random.integers(0, 2, size=shape) * 2.0 - 1.0, "onehot": np.eye(3)[classes],
        "count": random.poisson(2.0, size=shape).astype(float),
        "distribution": random.dirichlet(np.ones(3), size=4), "class": classes,
    }[labels]  # fmt: skip
    x = tf.constant(pred, dtype)
    y = tf.constant(true) if labels == "class" else tf.constant(true, dtype)
    with tf.GradientTape() as tape:
        tape.watch(x)
        values = getattr(keras.losses, name)(y, x, **arguments)
    return {
        "loss": name, "arguments": arguments, "dtype": dtype, "y_true": np.asarray(true).tolist(), "y_pred": numbers(pred),
        "values": numbers(values), "gradient": numbers(tape.gradient(values, x)),
    }  # fmt: skip


def optimizer_of(name, arguments, dtype):
    """A Keras optimizer. As Python floats its numbers are rounded to float32, also for float64 variables."""
    made = getattr(keras.optimizers, name)
    defaults = {p.name: p.default for p in inspect.signature(made).parameters.values() if type(p.default) is float}
    exact = {"float32": float, "float64": np.float64}[dtype]
    skipped = {"loss_scale_factor", "ema_momentum"}
    given = {**{k: v for k, v in defaults.items() if k not in skipped}, **arguments}
    return made(**{k: exact(v) if type(v) is float else v for k, v in given.items()})


def optimizer_case(name, arguments, dtype, seed):
    keras.config.set_floatx(dtype)
    random = np.random.default_rng(seed)
    first = [random.normal(size=(3, 2)), random.normal(size=())]
    grads = [[random.normal(size=(3, 2)), random.normal(size=())] for _ in range(6)]
    optimizer = optimizer_of(name, arguments, dtype)
    variables = [keras.Variable(value, dtype=dtype) for value in first]
    steps = []
    for pair in grads:
        optimizer.apply([tf.constant(g, dtype) for g in pair], variables)
        steps.append([numbers(v) for v in variables])
    return {
        "optimizer": name, "arguments": arguments, "dtype": dtype, "first": [numbers(v) for v in first],
        "gradients": [[numbers(g) for g in pair] for pair in grads], "steps": steps,
    }  # fmt: skip


def training_case(optimizer, arguments, activation, dtype):
    """200 steps of an MLP 6-8-8-3 on 96 examples in batches of 32, taken in turn; weights and data from one seed."""
    keras.config.set_floatx(dtype)
    random = np.random.default_rng(5)
    x = random.normal(size=(96, 6)).astype(np.float32)
    labels = (x @ random.normal(size=(6, 3))).argmax(1)
    widths = (6, 8, 8, 3)
    weights = []
    for a, b in itertools.pairwise(widths):
        weights += [(random.normal(size=(a, b)) / np.sqrt(a)).astype(np.float32), np.zeros(b, np.float32)]
    model = keras.Sequential(
        [keras.layers.Dense(8, activation=activation, dtype=dtype), keras.layers.Dense(8, activation=activation, dtype=dtype),
         keras.layers.Dense(3, dtype=dtype)]
    )  # fmt: skip
    data = tf.constant(x, dtype)
    model(data)
    model.set_weights(weights)
    chosen = optimizer_of(optimizer, arguments, dtype)
    losses = []
    for step in range(200):
        batch = slice(step % 3 * 32, step % 3 * 32 + 32)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(
                keras.losses.sparse_categorical_crossentropy(labels[batch], model(data[batch]), from_logits=True)
            )
        losses.append(float(loss))
        chosen.apply(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
    return {
        "optimizer": optimizer, "arguments": arguments, "activation": activation, "dtype": dtype, "x": x.tolist(),
        "labels": labels.tolist(), "weights": [w.tolist() for w in weights], "losses": losses,
    }  # fmt: skip


def write(name, cases):
    lines = ",\n".join(json.dumps(case) for case in cases)
    text = f'{{"made_by": "make_keras.py", "versions": {json.dumps(VERSIONS)},\n"cases": [\n{lines}\n]}}\n'
    (HERE / f"{name}.json").write_text(text)


if __name__ == "__main__":
    write("layers", [layer_case(*c, dtype, i) for i, c in enumerate(LAYERS) for dtype in DTYPES])
    write("losses", [loss_case(*c, dtype, i) for i, c in enumerate(LOSSES) for dtype in DTYPES])
    write("optimizers", [optimizer_case(*c, dtype, i) for i, c in enumerate(OPTIMIZERS) for dtype in DTYPES])
    runs = [("SGD", {"learning_rate": 0.1, "momentum": 0.9}, "tanh"), ("Adam", {"learning_rate": 0.01}, "relu")]
    write("training", [training_case(*run, dtype) for run in runs for dtype in DTYPES])
