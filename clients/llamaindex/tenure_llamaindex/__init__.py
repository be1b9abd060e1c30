"""A LlamaIndex retriever of facts and texts as they stood at any time, each with its reasons."""

from tenure_llamaindex.nodes import to_node
from tenure_llamaindex.retriever import TenureRetriever

__all__ = ["TenureRetriever", "to_node"]
