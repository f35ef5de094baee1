"""`python -m gradcli`."""

from gradcli.cli.main import main

main()
