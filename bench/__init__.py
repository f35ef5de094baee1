"""Benchmarks: each prints a ratio against a rival that runs in the same process or in turn. Never a test."""
