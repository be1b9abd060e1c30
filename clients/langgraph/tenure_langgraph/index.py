"""By which texts an item is found."""

from __future__ import annotations

from langgraph.store.base import (
    Embeddings,
    IndexConfig,
    PutOp,
    ensure_embeddings,
    get_text_at_path,
    tokenize_path,
)
from tenure.v1.admin_service_pb2 import EmbeddingSpace


class Index:
    """The `index` of a store. Without `embed` the server embeds, where it has a model."""

    def __init__(self, config: IndexConfig) -> None:
        embed = config.get("embed")
        self.embeddings: Embeddings | None = ensure_embeddings(embed) if embed else None
        self._dims = config.get("dims")
        self._fields: list[str] = config.get("fields") or ["$"]
        if embed and not self._dims:
            raise ValueError("an index that embeds says how many `dims` its vectors have")

    @property
    def embeds(self) -> bool:
        return self.embeddings is not None

    @property
    def space(self) -> EmbeddingSpace | None:
        """The space of the store's own vectors. `None`: that of the server's model."""
        return EmbeddingSpace(dimension=self._dims, supplied=True) if self.embeds else None

    def texts(self, op: PutOp) -> list[str]:
        if op.value is None or op.index is False:
            return []
        fields = self._fields if op.index is None else op.index
        paths = [field if field == "$" else tokenize_path(field) for field in fields]
        texts = [text for path in paths for text in get_text_at_path(dict(op.value), path)]
        return [text for text in dict.fromkeys(texts) if text.strip()]
