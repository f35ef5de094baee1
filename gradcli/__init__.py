"""gradcli: a gradient calculator for the command line.

The package has layers that only look downwards (see CONTRIBUTING.md): cli, report, runtime, then lang and engine,
which do not know each other. Nothing is imported here, so that `gradcli --version` stays as fast as bare Python.
"""

__version__ = "0.1.0"
