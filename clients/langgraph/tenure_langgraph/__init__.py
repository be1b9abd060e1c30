"""A LangGraph store whose items are facts: what an item was, and what it was known to be, can be
asked at any time."""

from tenure_langgraph.history import Version
from tenure_langgraph.store import TenureStore

__all__ = ["TenureStore", "Version"]
