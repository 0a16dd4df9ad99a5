"""The base of every model: frozen, closed to unknown fields. Holds no model of its own."""

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A frozen value. Unknown fields are refused, so that a misspelt one cannot pass in silence."""

    model_config = ConfigDict(frozen=True, extra="forbid")
