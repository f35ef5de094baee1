"""TensorFlow's exception names. What the engine raises is also a ValueError, TypeError, RuntimeError or LookupError."""

from gradcli.engine import EngineError

OpError = EngineError
InvalidArgumentError = EngineError
InternalError = EngineError
NotFoundError = EngineError
OutOfRangeError = EngineError
ResourceExhaustedError = EngineError
UnimplementedError = EngineError
