"""Programs that cannot be read or are damaged: each its diagnostic and status; the others still run."""

import os

import pytest

from tests.cli.run import gradcli

GOOD = "variable x = 3.0\ngradient(x * x, x)\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.tp").write_text(GOOD)
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary.tp").write_bytes(b"\x7fELF\0\0\1\2")
    (tmp_path / "latin.tp").write_bytes(b"# caf\xe9\nx = 1\n")
    (tmp_path / "empty.tp").write_bytes(b"")
    (tmp_path / "blank.tp").write_text("\n  \n# nothing\n\n")
    (tmp_path / "windows.tp").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    (tmp_path / "open.tp").write_text("variable x = 3.0\ntape {\n    y = x * x\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "status", "out", "err"),
    [
        ("missing.tp", 2, "", "there is no such file"),
        ("folder", 2, "", "this is a folder"),
        ("binary.tp", 2, "", "not a text file"),
        ("latin.tp", 2, "", "not a text file in UTF-8 (byte 5)"),
        ("empty.tp", 0, "", ""),
        ("blank.tp", 0, "", ""),
        ("windows.tp", 0, "6.0\n", ""),
        ("open.tp", 3, "", "open.tp:2:6"),
    ],
)
def test_a_file(folder, name, status, out, err):
    result = gradcli("eval", name)
    assert (result.status, result.out) == (status, out)
    assert err in result.err and "Traceback" not in result.err
    assert bool(result.err) == bool(err)


def test_the_other_files_still_run_and_the_worst_status_wins(folder):
    result = gradcli("eval", "missing.tp", "good.tp", "open.tp", "good.tp")
    assert result.out == "6.0\n6.0\n"
    assert result.status == 3
    assert gradcli("eval", "missing.tp", "good.tp").status == 2


def test_a_file_without_permission(folder):
    path = folder / "secret.tp"
    path.write_text(GOOD)
    path.chmod(0)
    if os.access(path, os.R_OK):
        path.unlink()  # root reads everything: a dangling link is as unreadable
        path.symlink_to(folder / "nowhere")
    result = gradcli("eval", "secret.tp", "good.tp")
    assert result.status == 2 and result.out == "6.0\n"


def test_json_tells_of_an_unreadable_file_too(folder):
    result = gradcli("eval", "--format", "json", "missing.tp", "good.tp")
    document = result.document
    assert result.status == document["status"] == 2
    assert document["errors"][0]["code"] == "program-file"
    assert document["errors"][0]["file"] is None
    assert len(document["results"]) == 1


def test_files_do_not_share_names(folder):
    (folder / "other.tp").write_text("x\n")
    result = gradcli("eval", "good.tp", "other.tp")
    assert result.status == 3 and "unknown name x" in result.err


def test_results_before_an_error_stay(folder):
    (folder / "half.tp").write_text(GOOD + "[1][5]\n7\n")
    result = gradcli("eval", "half.tp")
    assert (result.status, result.out) == (3, "6.0\n")
