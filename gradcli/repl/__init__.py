"""The interactive session: lines, commands, completion, hints, history. The command line is above it.

Nothing here imports NumPy before the first prompt is on the screen; `warmup` does so behind it.
"""
