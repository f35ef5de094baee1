"""The JSON Schema of `--format json`, version gradcli/1. It is fixed: programs rely on it."""

from __future__ import annotations

from typing import Any

_PLACE: dict[str, Any] = {
    "file": {"type": ["string", "null"]},
    "line": {"type": ["integer", "null"], "minimum": 1},
    "column": {"type": ["integer", "null"], "minimum": 1},
}
_VALUE = {"$ref": "#/$defs/value"}
_ENTRY = {
    "anyOf": [
        {"type": ["number", "boolean", "string"]},
        {"type": "array", "items": {"$ref": "#/$defs/entry"}},
    ]
}


def _object(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": required | (optional or {}),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_TEXT = {"type": "string"}
_DIAGNOSTIC = _object({"code": _TEXT, "message": _TEXT, **_PLACE, "hint": _TEXT})
_SIZE = {"anyOf": [{"type": "number"}, {"enum": ["nan", "inf", "-inf"]}, {"type": "null"}]}
_SIDE = {"anyOf": [_VALUE, {"type": "null"}]}

_STORY = _object(
    {
        "label": _TEXT,
        **_PLACE,
        "times": {"type": "integer", "minimum": 1},
        "sources": _list(
            _object(
                {
                    "source": _TEXT,
                    "value": _VALUE,
                    "path": _list(_object({"op": _TEXT, "cut": {"type": "boolean"}, **_PLACE})),
                    "bridged": _SIDE,
                    "connected": {"type": ["boolean", "null"]},
                }
            )
        ),
        "notes": _list(_DIAGNOSTIC),
    }
)

_COUNT = {"type": "integer", "minimum": 0}
_SUMMARY = _object(
    {"kind": {"const": "summary"}, "dtype": _TEXT, "shape": _list(_COUNT)},
    {"min": _SIZE, "max": _SIZE, "mean": _SIZE, "nan": _COUNT, "zeros": _COUNT},
)
_AMOUNT = {
    "anyOf": [
        _SIDE,
        _SUMMARY,
        _object({"kind": {"const": "results"}, "items": {"type": "object", "additionalProperties": _SIDE}}),
    ]
}
_STEP = {"step": _COUNT, "name": _TEXT, "operation": _TEXT}
_TRACE = _object(
    {
        "label": _TEXT,
        **_PLACE,
        "kind": _TEXT,
        "times": {"type": "integer", "minimum": 1},
        "forward": _list(_object(_STEP | {"expression": _TEXT, "value": _AMOUNT, **_PLACE})),
        "backward": _list(
            _object(
                _STEP
                | {"rule": _TEXT, "upstream": _AMOUNT, "contribution": _AMOUNT, "total": _AMOUNT, "remark": _TEXT}
                | _PLACE
            )
        ),
        "left_out": _COUNT,
        "answers": _list(_object({"source": _TEXT, "value": _AMOUNT})),
    }
)
_PROGRAM = _object(
    {
        "file": _TEXT,
        "status": {"enum": [0, 1, 2, 3, 4, 70]},
        "checks": _COUNT,
        "failed": _COUNT,
        "seconds": {"type": "number", "minimum": 0},
    }
)

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "What gradcli prints with --format json",
    **_object(
        {
            "schema": {"const": "gradcli/1"},
            "status": {"enum": [0, 1, 2, 3, 4, 70, 130]},
            "results": _list(_object({"label": _TEXT, **_PLACE, "value": _VALUE})),
            "warnings": _list(_DIAGNOSTIC),
            "notes": _list(_DIAGNOSTIC),
            "errors": _list(_DIAGNOSTIC),
            "asserts": _list(
                _object(
                    {
                        **_PLACE,
                        "ok": {"type": "boolean"},
                        "label": _TEXT,
                        "message": _TEXT,
                        "left": _SIDE,
                        "right": _SIDE,
                        "max_abs": _SIZE,
                        "max_rel": _SIZE,
                    },
                    {"verdict": {"enum": ["agrees", "differs", "cannot tell"]}},
                )
            ),
        },
        {"explanations": _list(_STORY), "traces": _list(_TRACE), "programs": _list(_PROGRAM)},
    ),
    "$defs": {
        "entry": _ENTRY,
        "value": {
            "anyOf": [
                _object(
                    {
                        "kind": {"const": "tensor"},
                        "dtype": _TEXT,
                        "shape": _list({"type": "integer", "minimum": 0}),
                        "data": {"$ref": "#/$defs/entry"},
                    },
                    {"math": _VALUE},
                ),
                _object(
                    {
                        "kind": {"const": "none"},
                        "code": {"type": ["string", "null"]},
                        "message": _TEXT,
                        "places": _list(_object(_PLACE)),
                        "hint": _TEXT,
                    }
                ),
                _object({"kind": {"enum": ["list", "tuple"]}, "items": _list(_VALUE)}),
                _object({"kind": {"const": "dict"}, "items": {"type": "object", "additionalProperties": _VALUE}}),
                _object({"kind": {"const": "number"}, "data": {"$ref": "#/$defs/entry"}}),
                _object({"kind": {"const": "bool"}, "data": {"type": "boolean"}}),
                _object({"kind": {"const": "string"}, "data": _TEXT}),
            ]
        },
    },
}
