"""The operations, one family a file. A family is imported when one of its operations is first asked for.

Nothing here depends on the order in which families are imported: rules look the operations up when they run. The names
of each family are in `families`, which `python -m gradcli.report.families` makes.
"""
