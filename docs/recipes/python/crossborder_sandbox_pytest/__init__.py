"""Worlds of crossborder-sandbox for tests in Python, without packages. `plugin` is the pytest plugin; the rest works with any runner."""

from .world import Inbox, Operation, Sandbox, SandboxError, World

__all__ = ["Inbox", "Operation", "Sandbox", "SandboxError", "World"]
