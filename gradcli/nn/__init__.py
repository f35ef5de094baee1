"""Modules, layers, losses and optimizers, made of the engine's operations. It imports the engine and nothing else.

`names` says in which file each public name lives; nothing is imported before it is asked for.
"""

from .module import Module

__all__ = ["Module"]
