"""Each kind of file read: its bytes are made here by struct, csv and NumPy, its values are known without a reader."""

import gzip
import json
import struct
from pathlib import Path

import numpy as np
import pytest

from gradcli.data import DataError, read_data
from gradcli.data.arrays import MAPPED
from gradcli.data.tables import Layout

F32 = np.dtype(np.float32)
IDX = {0x08: "B", 0x09: "b", 0x0B: "h", 0x0C: "i", 0x0D: "f", 0x0E: "d"}


def read(path, dtype=None, **layout):
    return read_data(str(path), F32, dtype, Layout(**layout) if layout else None)


def csv(tmp_path, text, dtype=None, **layout):
    path = tmp_path / "t.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(path, dtype, **layout)


def refusal(path, dtype=None, **layout):
    with pytest.raises(DataError) as caught:
        read(path, dtype, **layout)
    return f"{caught.value} / {caught.value.hint}"


@pytest.mark.parametrize("code", IDX)
@pytest.mark.parametrize("packed", [False, True])
def test_idx_is_big_endian(tmp_path, code, packed):
    numbers = [0, 1, 2, 100, 7, 5]
    data = bytes([0, 0, code, 2]) + struct.pack(">2I", 2, 3) + struct.pack(f">6{IDX[code]}", *numbers)
    path = tmp_path / ("t10k-images-idx2-ubyte" + ".gz" * packed)
    path.write_bytes(gzip.compress(data) if packed else data)
    found = read(path)
    assert found.tolist() == [[0, 1, 2], [100, 7, 5]] and found.dtype.isnative
    assert found.dtype.itemsize == struct.calcsize(IDX[code])


@pytest.mark.parametrize(
    "name", ["a.idx", "a.idx.gz", "train-images-idx3-ubyte", "train-labels.idx1-ubyte.gz", "A.IDX"]
)
def test_names_of_idx_files(tmp_path, name):
    data = bytes([0, 0, 8, 1]) + struct.pack(">I", 2) + b"\x05\x06"
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert read(tmp_path / name).tolist() == [5, 6]


def test_npy_of_another_byte_order_and_of_columns(tmp_path):
    np.save(tmp_path / "b.npy", np.array([1, 2, 3], ">i4"))
    np.save(tmp_path / "f.npy", np.asfortranarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    assert read(tmp_path / "b.npy").tolist() == [1, 2, 3] and read(tmp_path / "b.npy").dtype.isnative
    assert read(tmp_path / "f.npy").tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


def test_npz_stored_and_packed(tmp_path):
    np.savez(tmp_path / "a.npz", w=np.eye(2), k=np.int8(3))
    np.savez_compressed(tmp_path / "b.npz", w=np.eye(2), k=np.int8(3))
    for name in ("a.npz", "b.npz"):
        found = read(tmp_path / name)
        assert found["w"].tolist() == [[1.0, 0.0], [0.0, 1.0]] and found["k"] == 3 and found["k"].dtype == np.int8


def test_safetensors(tmp_path):
    header = json.dumps({
        "__metadata__": {"by": "hand"}, "w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
        "n": {"dtype": "I64", "shape": [], "data_offsets": [8, 16]},
    }).encode()  # fmt: skip
    header += b" " * (-len(header) % 8)
    path = tmp_path / "m.safetensors"
    path.write_bytes(struct.pack("<Q", len(header)) + header + struct.pack("<2fq", 1.5, -2.0, 7))
    found = read(path)
    assert found["w"].tolist() == [1.5, -2.0] and found["n"] == 7 and set(found) == {"w", "n"}
    path.write_bytes(path.read_bytes().replace(b'"I64", "shape": []', b'"BF16","shape":[4]'))
    assert "BF16" in refusal(path)


def test_what_is_large_is_mapped(tmp_path):
    count = MAPPED // 8 + 10
    big = np.arange(count, dtype=np.float64)
    np.save(tmp_path / "a.npy", big)
    from safetensors.numpy import save_file

    save_file({"w": big}, tmp_path / "a.safetensors")
    (tmp_path / "a.idx").write_bytes(bytes([0, 0, 8, 1]) + struct.pack(">I", MAPPED) + bytes(MAPPED))
    found = [read(tmp_path / "a.npy"), read(tmp_path / "a.safetensors")["w"], read(tmp_path / "a.idx")]
    for data in found:
        base = data
        while base.base is not None and not isinstance(base, np.memmap):
            base = base.base
        assert isinstance(base, np.memmap) and type(data) is np.ndarray
    assert found[0][-1] == found[1][-1] == count - 1


TABLES = [
    ("1,2\n3,4.5\n", {}, [[1, 2], [3, 4.5]], ()),
    ("a,b\n1,2\n", {}, [[1, 2]], ("a", "b")),
    ("# note\n\na;b\n1;2\n# more\n\n3;4\n", {}, [[1, 2], [3, 4]], ("a", "b")),
    ("a\tb\n1\t2\n", {}, [[1, 2]], ("a", "b")),
    ("\ufeffa,b\r\n1,2\r\n", {}, [[1, 2]], ("a", "b")),
    ('"a, b",c\n"1",2\n', {}, [[1, 2]], ("a, b", "c")),
    ('"a\nb",c\n1,2\n', {}, [[1, 2]], ("a\nb", "c")),
    ("x\nx\na,b\n1,2\n", {"skip": 2}, [[1, 2]], ("a", "b")),
    ("9,8\n1,2\n", {"header": True}, [[1, 2]], ("9", "8")),
    ("% c\n1 2\n 3   4\n", {"delimiter": " ", "comment": "%"}, [[1, 2], [3, 4]], ()),
    ("1|2\n", {"delimiter": "|"}, [[1, 2]], ()),
    ("1,\n,4\n", {"missing": -1.0}, [[1, -1], [-1, 4]], ()),
    ("a,b\nNA,2\n", {"missing": 0.5}, [[0.5, 2]], ("a", "b")),
    ("a,b,c\n1,x,3\n4,y,6\n", {"columns": ["c", "a"]}, [[3, 1], [6, 4]], ("c", "a")),
    ('a,b,c\n1,"x,y",3\n', {"columns": [-1, 0]}, [[3, 1]], ("c", "a")),
    ("a,b\n1,2\n3,4\n", {"columns": ["b"]}, [[2], [4]], ("b",)),
    ("7\n\n8\n", {}, [[7], [8]], ()),
    ("1e3, -.5 ,+2.\n", {}, [[1000, -0.5, 2]], ()),
    ("1,inf,-Infinity\n", {}, [[1, np.inf, -np.inf]], ()),
]


@pytest.mark.parametrize(("text", "layout", "values", "names"), TABLES)
def test_a_table(tmp_path, text, layout, values, names):
    found = csv(tmp_path, text, **layout)
    assert found.values.tolist() == values and found.names == names and found.values.dtype == np.float32


def test_one_column_is_a_vector(tmp_path):
    assert csv(tmp_path, "a,b\n1,2\n3,4\n", columns="b").tolist() == [2, 4]
    assert csv(tmp_path, "a,b\n1,2\n3,4\n", columns=0).tolist() == [1, 3]


def test_dtypes_of_a_table(tmp_path):
    found = csv(tmp_path, "9007199254740993,1\n2,3.0\n", np.int64)
    assert found.values.tolist() == [[9007199254740993, 1], [2, 3]]
    assert csv(tmp_path, "a,b\nx y,1\nz,2\n", np.dtype(str), columns="a").tolist() == ["x y", "z"]
    assert csv(tmp_path, "true,0\n", np.bool_, header=False).values.tolist() == [[True, False]]
    assert csv(tmp_path, "1+2j,3\n", np.complex128, header=False).values.tolist() == [[1 + 2j, 3]]
    assert csv(tmp_path, "0.1\n", np.float64).values[0, 0] == 0.1


def test_a_packed_table(tmp_path):
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"a,b\n1,2\n"))
    assert read(tmp_path / "t.csv.gz").values.tolist() == [[1, 2]]


WRONG = [
    ("a,b\n1,2\n3,four\n", {}, "row 3, column 2 (b): 'four' is not a number", 'columns=["a"]'),
    ("1,2\n3,x\n", {}, "row 2, column 2: 'x' is not a number", "columns=[0]"),
    ("a,b\n1,2\n3\n", {}, "row 3 has 1 column, the first has 2", ""),
    ("a,b\n1,2\n3,4,5\n", {"columns": ["a"]}, "row 3 has 3 columns, the first has 2", ""),
    ("a,b\n1,2,3\n", {}, "row 2 has 3 columns, the header has 2", "header=false"),
    ("a,b\n1,\n", {}, "row 2, column 2 (b) is empty", "missing=nan"),
    ("a,b\n1,NA\n", {}, "row 2, column 2 (b) is NA", "missing=nan"),
    ("a,b,a\n1,2,3\n", {}, "two columns 'a'", "header=false"),
    ("a,b\n", {}, "no rows of numbers", ""),
    ("   \n", {}, "is empty", ""),
    ("1,1_000\n2,3\n", {"header": False}, "'1_000' is not a number", ""),
    ("1,2\n", {"columns": "a"}, "no header", "columns=[0, 2]"),
    ("1,2\n", {"columns": 2}, "no column 2: there are 2 columns", ""),
    ("a\n\x1b[31m\n", {}, "\\x1b[31m", ""),
    (b"a\n\xff\n", {}, "not UTF-8 text (byte 2)", "UTF-8"),
]


@pytest.mark.parametrize(("text", "layout", "message", "hint"), WRONG)
def test_a_wrong_table_is_told_by_row_and_column(tmp_path, text, layout, message, hint):
    with pytest.raises(DataError) as caught:
        csv(tmp_path, text, **layout)
    assert message in str(caught.value) and hint in caught.value.hint


@pytest.mark.parametrize("text", ["1.5\n", "300\n", "-1\n"])
def test_numbers_that_do_not_fit_a_whole_dtype(tmp_path, text):
    with pytest.raises(DataError, match="row 1, column 1"):
        csv(tmp_path, text, np.uint8)


def test_dtype_of_any_file(tmp_path):
    np.savez(tmp_path / "a.npz", w=np.array([1.75, 2.0]))
    assert read(tmp_path / "a.npz", np.float32)["w"].dtype == np.float32
    assert read(tmp_path / "a.npz", np.int32)["w"].tolist() == [1, 2]
    np.save(tmp_path / "c.npy", np.array([1j]))
    assert "does not become float32" in refusal(tmp_path / "c.npy", np.float32)


def test_options_of_tables_are_for_tables(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros(2))
    assert "of .csv files alone" in refusal(tmp_path / "a.npy", skip=1)


def test_json_says_twice_and_where(tmp_path):
    path = tmp_path / "a.json"
    for text, message in [
        ('{"a": 1, "a": 2}', "two entries 'a'"), ("[[1], [1, 2]]", "different lengths"), ("[1, null]", "None"),
        ('{"a": [1,}', "line 1, column"), ('{"dtype": "object", "shape": [1], "data": [1]}', "do not fit"),
        ('{"dtype": "int8", "shape": [1], "data": [300]}', "do not fit"), ("[" * 100_000, "too deeply"),
        ("1" * 5000, "digits"), ("   ", "empty"),
    ]:  # fmt: skip
        path.write_text(text)
        assert message in refusal(path), text[:60]


def test_the_data_of_the_examples():
    folder = Path(__file__).parents[2] / "examples" / "data"
    digits, iris = read(folder / "digits.npz"), read(folder / "iris.csv")
    # as the UCI repository describes them: 1797 images of 0 to 16, with so many of each digit
    assert digits["images"].shape == (1797, 64) and digits["images"].min() == 0 and digits["images"].max() == 16
    assert np.bincount(digits["labels"]).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    assert iris.values.shape == (150, 5) and np.bincount(iris.values[:, 4].astype(int)).tolist() == [50, 50, 50]
    means = iris.values[:, :4].astype(np.float64).mean(axis=0)
    assert np.round(means, 2).tolist() == [5.84, 3.06, 3.76, 1.20]
    assert sum(path.stat().st_size for path in folder.iterdir()) < 150_000
