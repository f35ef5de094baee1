"""What is written is read back: every format, dtype and shape, to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gradcli.data import DataError, read_data, write_data
from gradcli.data.arrays import NUMBERS
from gradcli.data.tables import Layout

FORMATS = {".npy": NUMBERS, ".npz": NUMBERS, ".json": NUMBERS, ".safetensors": NUMBERS - {"complex128"}}
SHAPES = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)
NAMES = st.lists(st.text("abw.0_é 漢", min_size=1, max_size=6), min_size=1, max_size=3, unique=True)


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    return (
        a.dtype == b.dtype
        and a.shape == b.shape
        and (a == b)[~np.isnan(a)].all()
        and (np.isnan(a) == np.isnan(b)).all()
    )


def arrays(dtype):
    return SHAPES.flatmap(lambda shape: hnp.arrays(dtype, shape))


@pytest.mark.parametrize(("ending", "dtype"), sorted((e, d) for e, ds in FORMATS.items() for d in ds))
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_an_array_comes_back(tmp_path_factory, ending, dtype, data):
    path = str(tmp_path_factory.mktemp("t") / f"a{ending}")
    array = data.draw(arrays(dtype))
    array = data.draw(st.sampled_from([array, array.T, array[::-1] if array.ndim else array]))
    if ending == ".npy":
        write_data(path, array)
        assert same(read_data(path, np.float32), array)
        return
    names = data.draw(NAMES)
    write_data(path, dict.fromkeys(names, array))
    found = read_data(path, np.dtype(np.float32))
    assert set(found) == set(names) and all(same(found[name], array) for name in names)


@pytest.mark.parametrize("dtype", sorted(name for name in NUMBERS if name[0] in "fiu"))
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_table_comes_back(tmp_path_factory, dtype, data):
    path = str(tmp_path_factory.mktemp("t") / "a.csv")
    shape = data.draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
    array = data.draw(hnp.arrays(dtype, shape))
    write_data(path, array)
    assert same(read_data(path, np.float32, dtype, Layout(header=False)).values, array)
    names = data.draw(
        st.lists(
            st.text(' ab,;"#\n1漢', max_size=4).map(lambda s: "n" + s + "n"),
            min_size=shape[1],
            max_size=shape[1],
            unique=True,
        )
    )
    write_data(path, dict(zip(names, array.T, strict=True)))
    found = read_data(path, np.float32, dtype, Layout(header=True, delimiter=","))
    assert found.names == tuple(names) and same(found.values, array)
    assert same(read_data(path, np.float32, dtype, Layout(columns=names[-1], header=True, delimiter=",")), array[:, -1])


def test_numpy_reads_what_is_written(tmp_path):
    w = np.arange(6.0).reshape(2, 3)
    write_data(str(tmp_path / "w.npy"), w)
    write_data(str(tmp_path / "w.npz"), {"file": w, "b": w.T})
    write_data(str(tmp_path / "w.csv"), w)
    assert same(np.load(tmp_path / "w.npy"), w)
    with np.load(tmp_path / "w.npz") as found:
        assert same(found["file"], w) and same(found["b"], w.T)
    assert same(np.loadtxt(tmp_path / "w.csv", delimiter=","), w)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.npz", np.zeros(2), "by name"),
        ("a.npy", {"w": np.zeros(2)}, "one array"),
        ("a.csv", np.zeros((2, 2, 2)), "a matrix"),
        ("a.csv", {"a": np.zeros(2), "b": np.zeros(3)}, "of one length"),
        ("a.csv", np.zeros(2, complex), "real numbers"),
        ("a.safetensors", {"w": np.zeros(2, complex)}, "complex128"),
        ("a.pkl", np.zeros(2), "in which format"),
    ],
)
def test_what_a_format_does_not_hold_is_refused_and_nothing_written(tmp_path, name, content, message):
    with pytest.raises(DataError, match=message):
        write_data(str(tmp_path / name), content)
    assert not list(tmp_path.iterdir())
