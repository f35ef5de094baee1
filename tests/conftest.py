"""Options of the test run: `--samples N` has the laws try N times as many random points (the nightly tier: 10)."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--samples", type=int, default=1, help="how many times the usual number of random points to try")


@pytest.fixture
def samples(request):
    """How many times the usual number of random points to try."""
    return request.config.getoption("--samples")
