python := ".venv/bin/python"

# lint and types
check:
    {{python}} -m ruff check . && {{python}} -m ruff format --check . && {{python}} -m mypy

# the tests
test *args:
    {{python}} -m pytest {{args}}

# the nightly tier: the slow tests too, and ten times as many random points for the laws
nightly *args:
    {{python}} -m pytest -m "slow or not slow" --samples 10 {{args}}

# rewrite the recorded outputs of the examples
golden:
    {{python}} -m tests.golden.record

# make docs/operations.md and the table of names from the registry, docs/diagnostics.md from the pages of the codes,
# the kept pages of --help from the options, the made parts and pictures of README.md and docs/chain-rule.md
docs:
    {{python}} -m gradcli.report.families && {{python}} -m gradcli.report.operations && {{python}} -m gradcli.cli.explain_code && {{python}} -m gradcli.cli.app && {{python}} docs/made.py

# make the parser tables from the grammar
tables:
    {{python}} -m gradcli.lang.tables

# the benchmarks
bench:
    {{python}} -m bench.tape && {{python}} -m bench.startup
