"""TensorFlow's exception names. What the engine raises is also a ValueError, TypeError, RuntimeError or LookupError."""

from gradcli.engine.errors import EngineError, InvalidArgument

OpError = EngineError
InvalidArgumentError = InvalidArgument
InternalError = EngineError
NotFoundError = EngineError
OutOfRangeError = InvalidArgument
ResourceExhaustedError = EngineError
UnimplementedError = EngineError
