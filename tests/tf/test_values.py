"""Tensors and variables made of arrays keep the numbers that the array had."""

import numpy as np

import gradcli.tf as tf


def test_an_array_that_is_written_to_later_does_not_change_a_tensor():
    data = np.ones(3)
    for made in (tf.constant(data), tf.convert_to_tensor(data), tf.Variable(data), tf.constant(data, shape=[3])):
        data[0] = 9.0
        assert made.numpy().tolist() == [1.0, 1.0, 1.0]
        data[0] = 1.0
