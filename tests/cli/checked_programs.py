"""Programs with known outcomes under `gradcli check`, and a folder of them."""

GOOD = "variable x = 3.0\nassert gradient(x**2, x) ~= 6.0\n"
BAD = "variable x = 3.0\nassert x ~= 4.0\n"
SILENT = "1 + 1\n"
BROKEN = "x = (1 +\n"
WRONG = 'print("before")\nconstant([1.0, 2.0]) + constant([1.0, 2.0, 3.0])\n'
ENDLESS = "i = 0\nwhile true { i = i + 1 }\n"
WARNS = "constant c = 1\nwatch c\nassert c == 1\n"
UNTOLD = "default float64\nvariable x = 0.0\ncheck_gradient(relu(x), x)\n"

#: name → text, state, status, checks, failed
OUTCOMES = {
    "a_good.tp": (GOOD, "ok", 0, 1, 0),
    "b_bad.tp": (BAD, "FAILED", 1, 1, 1),
    "c_silent.tp": (SILENT, "no checks", 0, 0, 0),
    "d_broken.tp": (BROKEN, "error", 3, 0, 0),
    "e_wrong.tp": (WRONG, "error", 3, 0, 0),
    "f_warns.tp": (WARNS, "ok", 0, 1, 0),
    "g_untold.tp": (UNTOLD, "ok", 0, 1, 0),
}


def write_programs(folder, programs):
    """Write programs by path; folders are made."""
    for name, text in programs.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
