"""Damaged files: cut anywhere, a bit turned anywhere, headers that lie. They give values or our error, nothing else."""

import gzip
import io
import json
import os
import random
import struct
import warnings
import zipfile

import numpy as np
import pytest

from gradcli.data import DataError, TooLarge, read_data, write_data
from gradcli.data.files import check_room

TEXTS = np.array(["ab", "é漢"])


def npy(array):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, allow_pickle=True)
    return out.getvalue()


def header(text, data=b"\0" * 16):
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """One sound file of each kind."""
    folder = tmp_path_factory.mktemp("whole")
    w = np.linspace(-1, 1, 6).reshape(2, 3)
    write_data(str(folder / "a.npy"), w)
    np.save(folder / "s.npy", TEXTS)
    np.save(folder / "b.npy", np.array([True, False, True]))
    write_data(str(folder / "a.npz"), {"w": w, "n": np.array([1, 2])})
    np.savez_compressed(folder / "c.npz", w=w, n=np.arange(30))
    write_data(str(folder / "a.json"), {"w": w, "c": np.array([1j])})
    write_data(str(folder / "a.csv"), {"x": w[0], "y": w[1]})
    write_data(str(folder / "a.safetensors"), {"w": w, "n": np.array([True])})
    idx = bytes([0, 0, 0x0D, 2]) + struct.pack(">2I6f", 2, 3, *range(6))
    (folder / "a.idx").write_bytes(idx)
    (folder / "a.idx.gz").write_bytes(gzip.compress(idx))
    (folder / "a.csv.gz").write_bytes(gzip.compress((folder / "a.csv").read_bytes()))
    return {path.name: path.read_bytes() for path in folder.iterdir()}


NAMES = [
    "a.npy",
    "s.npy",
    "b.npy",
    "a.npz",
    "c.npz",
    "a.json",
    "a.csv",
    "a.safetensors",
    "a.idx",
    "a.idx.gz",
    "a.csv.gz",
]


def attempt(path, data):
    """True if the file is read; its values can be looked at then."""
    path.write_bytes(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = read_data(str(path), np.dtype(np.float32))
    except DataError as error:
        assert str(error).isprintable()
        return False
    for value in found.values() if isinstance(found, dict) else [getattr(found, "values", found)]:
        for array in value.values() if isinstance(value, dict) else [value]:
            assert isinstance(array, np.ndarray)
            repr(array.tolist()).encode()
    return True


@pytest.mark.parametrize("name", NAMES)
def test_cut_anywhere(tmp_path, whole, name):
    data = whole[name]
    read = [n for n in range(len(data)) if attempt(tmp_path / name, data[:n])]
    if name == "a.json":
        assert read == [len(data) - 1]  # but for the line's end
    elif name != "a.csv":  # a table that is cut in a row or a number may be a table
        assert read == []
    assert attempt(tmp_path / name, data)


@pytest.mark.parametrize("name", NAMES)
def test_a_bit_turned_anywhere(tmp_path, whole, name):
    data = whole[name]
    for at in range(len(data)):
        for bit in range(8) if len(data) < 400 else random.Random(at).sample(range(8), 2):
            attempt(tmp_path / name, data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])


@pytest.mark.parametrize("name", NAMES)
def test_bytes_changed_here_and_there(tmp_path, whole, name, samples):
    draw = random.Random(name)
    for _ in range(200 * samples):
        data = bytearray(whole[name])
        for _ in range(draw.randint(1, 6)):
            place = draw.randrange(len(data))
            data[place : place + draw.randint(0, 3)] = draw.randbytes(draw.randint(0, 3))
        attempt(tmp_path / name, bytes(data))


LIES = {
    "longer than the file": header("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}\n"),
    "shorter than the file": header("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}\n"),
    "a product that overflows": header(
        f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({2**32}, {2**32})}}\n", b""
    ),
    "nothing times too much": header(f"{{'descr': '<f8', 'fortran_order': False, 'shape': (0, {2**62}, 4)}}\n", b""),
    "a huge number": header(f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({10**50},)}}\n"),
    "a negative length": header("{'descr': '<f8', 'fortran_order': False, 'shape': (-2,)}\n"),
    "a length that is no number": header("{'descr': '<f8', 'fortran_order': False, 'shape': ('2',)}\n"),
    "many axes": header(f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({'1, ' * 70})}}\n", b"\0" * 8),
    "records": header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,)}\n"),
    "no size": header("{'descr': '|V0', 'fortran_order': False, 'shape': (2,)}\n"),
    "dates": npy(np.array(["2020-01-01"], "M8[D]")),
    "a deep header": header("(" * 300 + "\n"),
    "a long sum": header("-" * 9000 + "1\n"),
    "code": header("__import__('os').system('touch owned')\n"),
    "a false bool": npy(np.array([True]))[:-1] + b"\x07",
    "no such character": npy(np.array(["a"]))[:-4] + b"\xff\xff\xff\x7f",
    "half a character": npy(np.array(["a"]))[:-4] + struct.pack("<I", 0xD800),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_header_that_lies(tmp_path, lie, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert not attempt(tmp_path / "a.npy", LIES[lie])
    with zipfile.ZipFile(tmp_path / "b.npz", "w") as archive:
        archive.writestr("w.npy", LIES[lie])
    assert not attempt(tmp_path / "b.npz", (tmp_path / "b.npz").read_bytes())
    assert not (tmp_path / "owned").exists()


def test_pickles_are_never_loaded(tmp_path, monkeypatch):
    class Evil:
        def __reduce__(self):
            return open, (str(tmp_path / "owned"), "w")

    data = npy(np.array([Evil()], dtype=object))
    for name in ("a.npy", "a.npz"):
        if name == "a.npz":
            with zipfile.ZipFile(tmp_path / name, "w") as archive:
                archive.writestr("w.npy", data)
        else:
            (tmp_path / name).write_bytes(data)
        with pytest.raises(DataError, match="never loaded"):
            read_data(str(tmp_path / name), np.float32)
    assert not (tmp_path / "owned").exists()


def test_a_zip_that_grows_without_end_is_not_unpacked(tmp_path):
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("w.npy", "w") as member:
        member.write(header(f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({2**50},)}}\n", b""))
        member.write(b"\0" * 10_000_000)
    assert not attempt(path, path.read_bytes())
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 2**32 - 2)  # the size that the directory claims
    assert not attempt(path, bytes(data))


def test_a_packed_idx_that_claims_too_much(tmp_path):
    data = gzip.compress(bytes([0, 0, 8, 2]) + struct.pack(">2I", 2**32 - 1, 2**31) + b"\0" * 100)
    assert not attempt(tmp_path / "a.idx.gz", data)


def test_safetensors_whose_header_lies(tmp_path):
    for entry in (
        {"dtype": "F64", "shape": [2**40], "data_offsets": [0, 16]}, {"dtype": "F64", "shape": [2], "data_offsets": [0, 2**50]},
        {"dtype": "F64", "shape": [2], "data_offsets": [8, 24]}, {"dtype": "F64", "shape": [-2], "data_offsets": [0, 16]},
    ):  # fmt: skip
        text = json.dumps({"w": entry}).encode()
        assert not attempt(tmp_path / "a.safetensors", struct.pack("<Q", len(text)) + text + b"\0" * 16)
    assert not attempt(tmp_path / "a.safetensors", struct.pack("<Q", 2**63) + b"{}")


def test_more_than_there_is_memory_for_is_told_before_anything_is_read(tmp_path):
    path = tmp_path / "a.npz"
    with open(path, "wb") as file, zipfile.ZipFile(file, "w") as archive:
        archive.writestr("w.npy", b"x")
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[at + 20 : at + 28] = struct.pack("<2I", 2**32 - 2, 2**32 - 2)
    path.write_bytes(data)
    with pytest.raises(DataError):
        read_data(str(path), np.float32)
    with pytest.raises(TooLarge, match=r"4\.61 EB of memory"):
        check_room(2**62 + 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX")
@pytest.mark.parametrize("ending", [".npy", ".npz", ".csv", ".json", ".safetensors", ".idx", ".what"])
def test_a_pipe_a_device_a_folder_and_nothing(tmp_path, ending):
    path = tmp_path / f"a{ending}"
    os.mkfifo(path)
    with pytest.raises(DataError, match="a device or a pipe"):
        read_data(str(path), np.float32)
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(DataError, match="a device or a pipe"):
        read_data(str(path), np.float32)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        read_data(str(path), np.float32)
    path.mkdir()
    with pytest.raises(IsADirectoryError):
        read_data(str(path), np.float32)
    path.rmdir()
    path.write_bytes(b"")
    with pytest.raises(DataError, match="is empty" if ending != ".what" else "are not read"):
        read_data(str(path), np.float32)


def test_two_entries_of_one_name(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
            for name in ("v.npy", "w.npy", "w.npy"):
                archive.writestr(name, npy(np.zeros(2)))
    with pytest.raises(DataError, match="two entries 'w'"):
        read_data(str(tmp_path / "a.npz"), np.float32)
