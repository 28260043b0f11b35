"""The examples in docstrings are true."""

import doctest
import importlib
import pkgutil

import pytest

MODULES = [
    module.name
    for package in ("blot_env", "agents", "train")
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}.")
    if not module.name.endswith("__main__")
]


def examples(name: str) -> list[doctest.DocTest]:
    module = importlib.import_module(name)
    return [test for test in doctest.DocTestFinder().find(module) if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    for test in examples(name):
        assert doctest.DocTestRunner().run(test).failed == 0


def test_some_are_found():
    assert {"Game", "load_rules"} <= {
        test.name.split(".")[-1] for test in examples("blot_env.game") + examples("blot_env.rules")
    }
