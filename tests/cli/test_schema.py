"""The JSON output is what `gradcli schema` says, for every kind of value and diagnostic."""

import jsonschema
import pytest

from tests.cli.run import evaluate, gradcli

PROGRAMS = [
    "",
    "1; 2.5; true; 'text'; none; [1, (2, 3)]; {'a': 1}; range(3); 1e400; 2j",
    "constant([[1, 2]]); constant([nan, inf]); complex(1.0, -inf); constant(true); zeros([0, 2]); constant('s')",
    "variable x = 1.0; x; constant c = 2; gradient(x * x, [x, c]); gradient(x * x, {'x': x}); round; float32",
    "variable x = [-1.0, 0.0]; tape t { y = abs(x) }; t.gradient(y, x); t.gradient(y, x)",
    "assert 1 == 2; assert constant([1.0]) ~= [nan], 'm'; assert true; assert [1, none] ~= [1, 2]",
    "constant c = 1; watch c; x = c + 1.5",
    "x = (1 +",
    "reduce_meen(1)",
    "def f(x) = f(x); f(1)",
    "1 / 0  # expect: error[bad-value]",
]


@pytest.fixture(scope="module")
def validator():
    schema = gradcli("schema").document
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("code", PROGRAMS)
def test_every_document_is_valid(validator, code):
    validator.validate(evaluate(code, "--format", "json").document)


def test_grad_documents_are_valid(validator):
    validator.validate(gradcli("grad", "x*y", "x=1", "y=[1,2]", "--format", "json").document)
    validator.validate(gradcli("grad", "round(x)", "x=1", "--format", "json").document)
    validator.validate(gradcli("eval", "missing.tp", "--format", "json").document)


def test_the_schema_refuses_what_is_not_in_it(validator):
    document = evaluate("1", "--format", "json").document
    for broken in ({**document, "extra": 1}, {**document, "status": 5}, {**document, "results": [{"label": "x"}]}):
        with pytest.raises(jsonschema.ValidationError):
            validator.validate(broken)
