"""Which variables a module has, in which order and under which paths; weights set from elsewhere."""

import numpy as np
import pytest

import gradcli.tf as tf
from gradcli.engine import EngineError, GradientTape, Variable, constant
from gradcli.nn import Module
from gradcli.nn.module import snake
from gradcli.nn.names import find

Dense, Sequential, BatchNormalization = find("Dense"), find("Sequential"), find("BatchNormalization")


class Block(Module):
    def __init__(self, value):
        super().__init__()
        self.inner = None
        self.w = Variable(value, name="w")


def made():
    outer = Module("outer")
    outer.z = Variable(1.0, name="z")
    outer.parts = [Block(2.0), {"k": Block(3.0), "a": Block(4.0)}]
    outer.parts[0].inner = Block(5.0)
    outer.a = Variable(6.0, name="a", trainable=False)
    outer.again = outer.parts[0]
    return outer


def test_own_variables_come_first_in_the_order_of_their_attributes():
    assert [float(v.value) for v in made().variables] == [1, 6, 2, 5, 3, 4]
    assert [float(v.value) for v in made().trainable_variables] == [1, 2, 5, 3, 4]
    assert [float(v.value) for v in made().non_trainable_variables] == [6]


def test_paths_name_attributes_places_and_keys():
    assert list(made().named_variables()) == [
        "z", "a", "parts.0.w", "parts.0.inner.w", "parts.1.k.w", "parts.1.a.w"
    ]  # fmt: skip


def test_a_module_below_is_listed_once():
    outer = made()
    assert outer.submodules == [
        outer.parts[0], outer.parts[1]["k"], outer.parts[1]["a"], outer.parts[0].inner
    ]  # fmt: skip


def test_a_module_that_holds_itself_ends():
    block = Block(1.0)
    block.inner = block
    assert len(block.variables) == 1 and block.submodules == []


@pytest.mark.parametrize("level", ["layer", "model"])
def test_trainable_false_takes_out_what_is_below(level):
    model = Sequential([Dense(2), Dense(1)])
    model(np.ones((1, 3), np.float32))
    (model if level == "model" else model.layers[0]).trainable = False
    assert len(model.trainable_variables) == (0 if level == "model" else 2)
    assert len(model.variables) == 4


def test_a_layer_that_is_not_trainable_still_has_gradients():
    layer = Dense(1, kernel=[[1.0], [1.0]], trainable=False)
    with GradientTape() as tape:
        y = layer(constant([[2.0, 3.0]]))
    assert tape.gradient(y, layer.kernel).value.tolist() == [[2.0], [3.0]]


def test_tf_module_goes_by_names_and_depth():
    class Part(tf.Module):
        def __init__(self, value):
            super().__init__()
            self.v = tf.Variable(value)

    outer, part = tf.Module(name="outer"), Part(2.0)
    outer.b, outer.a, part.sub = Part(1.0), part, Part(3.0)
    outer.z = tf.Variable(0.0)
    assert [float(v) for v in outer.variables] == [0.0, 2.0, 3.0, 1.0]
    assert isinstance(outer.variables, tuple)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Dense", "dense"), ("BatchNormalization", "batch_normalization"), ("LSTM", "lstm"), ("Conv2D", "conv2_d")],
)
def test_the_name_of_a_class_as_tensorflow_writes_it(name, expected):
    assert snake(name) == expected


def test_the_name_of_a_layer_as_keras_writes_it():
    assert find("MaxPooling2D")().name == "max_pooling2d" and find("SimpleRNN")(1).name == "simple_rnn"
    assert find("Dense")(1, name="out").name == "out"


def test_weights_of_another_architecture_are_told_leaf_by_leaf():
    model = Sequential([Dense(2), Dense(1)])
    model(np.ones((1, 3), np.float32))
    before = model.get_weights()
    given = {
        "layers.0.kernel": np.ones((3, 4), np.float32), "layers.0.bias": np.ones(2, np.float64),
        "layers.1.kernel": np.ones((2, 1), np.float32), "layers.9.bias": np.ones(1, np.float32),
    }  # fmt: skip
    with pytest.raises(EngineError) as error:
        model.set_weights(given)
    told = [(what, path) for what, path, _, _ in error.value.facts["wrong"]]
    assert told == [
        ("differs", "layers.0.kernel"), ("differs", "layers.0.bias"), ("missing", "layers.1.bias"),
        ("unknown", "layers.9.bias"),
    ]  # fmt: skip
    for a, b in zip(before, model.get_weights()):
        np.testing.assert_array_equal(a, b)


def test_weights_that_fit_are_set_and_the_count_is_checked():
    model = Sequential([Dense(1)])
    model(np.ones((1, 2), np.float32))
    model.set_weights([[[1.0], [2.0]], [3.0]])
    assert model(constant([[1.0, 1.0]])).value.tolist() == [[6.0]]
    with pytest.raises(EngineError) as error:
        model.set_weights([1.0])
    assert error.value.kind == "weights-count"


def test_a_variable_given_as_a_weight_is_used_itself():
    shared = Variable([[2.0]], name="shared")
    one, two = Dense(1, kernel=shared, use_bias=False), Dense(1, kernel=shared, use_bias=False)
    model = Sequential([one, two])
    with GradientTape() as tape:
        y = model(constant([[3.0]]))
    assert model.variables == [shared]
    assert tape.gradient(y, shared).value.tolist() == [[12.0]]


def test_the_default_dtype_is_that_of_the_first_call():
    layer = BatchNormalization(dtype="float64")
    assert layer(constant([[1.0, 2.0]], "float64")).dtype == np.float64
    assert {v.dtype.name for v in layer.variables} == {"float64"}
