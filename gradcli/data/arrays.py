"""Arrays as bytes behind a header: .npy, .npz and the .idx of MNIST. No header is believed beyond its file."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from .faults import DataError, amount
from .files import check_room, opened, size_of

if TYPE_CHECKING:
    import zipfile

#: bytes from which on a file is mapped, so that only the pages that are looked at are read
MAPPED = 2**24
NUMBERS = {
    "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool",
    "complex64", "complex128",
}  # fmt: skip
_PICKLE = "it holds Python objects (a pickle), which are never loaded"
_PICKLE_HINT = "save it anew as numbers: np.save(file, array.astype(float))"
#: an .idx file's third byte → its numbers, all of them big-endian
_IDX = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
#: deflate shrinks nothing by more than this
_DEFLATE = 1100


def read_npy(path: str) -> Any:
    """The array of a .npy file, mapped when it is large. Raises OSError and DataError."""
    with opened(path) as file:
        shape, fortran, dtype = _npy_header(file, "it")
        return in_file(file, shape, dtype, "it", "F" if fortran else "C")


def _npy_header(file: Any, what: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, order and dtype, as the header has them and possible."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            version = np.lib.format.read_magic(file)
            read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[version]
            shape, fortran, dtype = read(file)
    except Exception:  # a damaged header is parsed as Python: whatever comes of it means the same
        raise DataError(f"{what} is not a .npy array, or its beginning is damaged") from None
    check_dtype(dtype, what)
    return tuple(int(n) for n in shape), fortran, dtype


def check_dtype(dtype: np.dtype[Any], what: str) -> None:
    """Raise DataError unless the language has these numbers, or they are texts."""
    if dtype.hasobject:
        raise DataError(_PICKLE.replace("it", what, 1), _PICKLE_HINT)
    if (dtype.name not in NUMBERS and dtype.kind != "U") or not dtype.itemsize or dtype.shape:
        raise DataError(f"{what} holds {dtype}, not numbers of a dtype of the language", "convert it with NumPy first")


def _bytes_of(shape: tuple[int, ...], dtype: np.dtype[Any], what: str) -> int:
    if len(shape) > 32 or any(n < 0 for n in shape) or math.prod(n or 1 for n in shape) * dtype.itemsize >= 2**62:
        raise DataError(f"{what} has an impossible shape in its header")
    return math.prod(shape) * dtype.itemsize


def _check_length(need: int, have: int, what: str) -> None:
    if need > have:
        raise DataError(
            f"{what} is cut off: its header promises {amount(need)} of numbers, and there are {amount(have)}",
            "copy or download it again",
        )
    if need < have:
        raise DataError(f"{what} holds {amount(have - need)} more than its header says", "save one array a file")


def in_file(file: IO[bytes], shape: tuple[int, ...], dtype: np.dtype[Any], what: str, order: Any = "C") -> Any:
    """The array that fills the rest of a file. Raises DataError if it does not."""
    start, need = file.tell(), _bytes_of(shape, dtype, what)
    _check_length(need, size_of(file) - start, what)
    return at(file, start, shape, dtype, what, order)


def at(file: IO[bytes], start: int, shape: tuple[int, ...], dtype: np.dtype[Any], what: str, order: Any = "C") -> Any:
    """The array at a position of a file that is long enough for it, mapped when it is large."""
    need = math.prod(shape) * dtype.itemsize
    if need >= MAPPED and dtype.isnative and dtype.kind not in "bU":
        check_room(need, mapped=True)
        return np.asarray(np.memmap(file, dtype, "r", start, shape, order))
    check_room(need)
    file.seek(start)
    return _array(file.read(need), shape, dtype, what, order)


def _array(data: bytes, shape: tuple[int, ...], dtype: np.dtype[Any], what: str, order: Any = "C") -> Any:
    found = np.frombuffer(data, dtype).reshape(shape, order=order)
    if not dtype.isnative:
        found = found.astype(dtype.newbyteorder("="))
    if dtype.kind == "b" and found.size and found.view(np.uint8).max() > 1:
        raise DataError(f"{what} holds bytes that are neither true nor false")
    if dtype.kind == "U" and found.size:
        letters = np.frombuffer(np.ascontiguousarray(found).tobytes(), np.uint32)
        if letters.max() > 0x10FFFF or ((letters >= 0xD800) & (letters < 0xE000)).any():
            raise DataError(f"{what} holds texts with characters that do not exist")
    return found


def read_npz(path: str) -> dict[str, Any]:
    """The arrays of an .npz archive by their names. Raises OSError and DataError."""
    import zipfile

    with opened(path) as file:
        try:
            with zipfile.ZipFile(file) as archive:
                entries = archive.infolist()
                names = [entry.filename.removesuffix(".npy") for entry in entries]
                if len(set(names)) < len(names):
                    twice = Counter(names).most_common(1)[0][0]
                    raise DataError(f"it has two entries '{twice}'", "save it again with a name for each array")
                check_room(sum(entry.file_size for entry in entries))
                return {name: _entry(archive, entry, f"entry '{name}'") for name, entry in zip(names, entries)}
        except (DataError, MemoryError):
            raise
        except Exception as error:  # zipfile has no one class for what can be wrong: struct, zlib, lzma, EOF, …
            if isinstance(error, RuntimeError) and "encrypted" in str(error):
                raise DataError("it is an encrypted archive", "save it without a password") from None
            raise DataError("it is not an .npz archive, or it is damaged", "copy or download it again") from None


def _entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, what: str) -> Any:
    if not entry.filename.endswith(".npy"):
        raise DataError(f"{what} is no array", "an .npz archive holds .npy files alone: write it with np.savez")
    if entry.file_size > _DEFLATE * entry.compress_size + 1000 and entry.compress_type == 8:
        raise DataError(f"{what} cannot be as large as it says")
    with archive.open(entry) as member:
        shape, fortran, dtype = _npy_header(member, what)
        need = _bytes_of(shape, dtype, what)
        _check_length(need, entry.file_size - member.tell(), what)
        data = member.read(need)
        _check_length(need, len(data), what)
        member.read(1)  # at the end the archive compares its checksum
    return _array(data, shape, dtype, what, "F" if fortran else "C")


def read_idx(path: str) -> Any:
    """The array of an .idx file, packed by gzip (.gz) or not. Raises OSError and DataError.

    The format of the MNIST database: two zero bytes, the kind of number, the number of axes, their lengths as
    big-endian 32-bit numbers, the numbers.
    """
    with opened(path) as file:
        if not path.lower().endswith(".gz"):
            shape, dtype = _idx_header(file)
            return in_file(file, shape, dtype, "it")
        import gzip
        import zlib

        try:
            with gzip.GzipFile(fileobj=file) as unpacked:
                shape, dtype = _idx_header(unpacked)
                need = _bytes_of(shape, dtype, "it")
                if need > _DEFLATE * size_of(file):
                    raise DataError("it is cut off, or its header is damaged", "copy or download it again")
                check_room(need)
                data = unpacked.read(need)
                _check_length(need, len(data) + len(unpacked.read(1)), "it")
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise DataError("it is no file of gzip, or it is damaged", "copy or download it again") from None
        return _array(data, shape, dtype, "it")


def _idx_header(file: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    start = file.read(4)
    if len(start) < 4 or start[:2] != b"\0\0" or start[2] not in _IDX:
        raise DataError("it is not an .idx file: it does not begin with two zero bytes and a kind of number")
    lengths = file.read(4 * start[3])
    if len(lengths) < 4 * start[3]:
        raise DataError("it is cut off in its header", "copy or download it again")
    return tuple(int(n) for n in np.frombuffer(lengths, ">u4")), np.dtype(_IDX[start[2]])


def write_npz(file: IO[bytes], arrays: dict[str, Any]) -> None:
    """Write arrays by name as `np.savez` does, which has no way to write one that is called `file`."""
    import zipfile

    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, data in arrays.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(data), allow_pickle=False)
