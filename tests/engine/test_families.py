"""Families are imported when one of their operations is asked for; the table of their names is current."""

import subprocess
import sys

from gradcli.report.families import PATH, text


def test_the_table_is_current():
    assert PATH.read_text(encoding="utf-8") == text(), "run python -m gradcli.report.families"


def test_asking_for_one_operation_imports_its_family_alone():
    code = (
        "import sys; from gradcli.engine import lookup\n"
        "loaded = lambda: 'gradcli.engine.ops.convolution' in sys.modules\n"
        "assert not loaded() and lookup('no_such_operation') is None and not loaded()\n"
        "assert lookup('tf.nn.conv2d').name == 'conv2d' and loaded()\n"
        "assert 'gradcli.engine.ops.fourier' not in sys.modules\n"
        "from gradcli.engine import REGISTRY\n"
        "assert 'fft' in REGISTRY and len(REGISTRY) > 250 and 'gradcli.engine.ops.spectral' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_the_order_in_which_families_are_imported_does_not_matter():
    """A name that two families claim would go to whichever is imported first."""
    code = (
        "from importlib import import_module\n"
        "from gradcli.engine.ops.families import FAMILIES\n"
        "for family in sorted(set(FAMILIES['name'].values()), reverse=True):\n"
        "    import_module(f'gradcli.engine.ops.{family}')\n"
        "from gradcli.report.families import PATH, text\n"
        "assert PATH.read_text(encoding='utf-8') == text()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_an_interrupted_import_can_be_repeated():
    """Ctrl-C in an interactive session, while a family comes in because of one operation, or all do."""
    code = (
        "from gradcli.engine import registrars\n"
        "from gradcli.engine.primitive import REGISTRY, ALIASES, NUMPY, METHODS, register\n"
        "from gradcli.engine.ops.families import FAMILIES\n"
        "def interrupted(op):\n"
        "    register(op)\n"
        "    if op.name == interrupted.at:\n"
        "        raise KeyboardInterrupt\n"
        "registrars.register = interrupted\n"
        "for interrupted.at, ask in (('fft', lambda: REGISTRY['fft']), ('max_pool', lambda: len(REGISTRY))):\n"
        "    try:\n"
        "        ask()\n"
        "    except KeyboardInterrupt:\n"
        "        interrupted.at = ''\n"
        "    else:\n"
        "        raise AssertionError(interrupted.at)\n"
        "    ask()\n"
        "found = [sorted(entries) for entries in (REGISTRY, ALIASES, NUMPY, METHODS)]\n"
        "assert found == [sorted(names) for names in FAMILIES.values()]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
