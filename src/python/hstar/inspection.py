"""The equations of a mechanism at one instant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import numpy as np


class Inspection(Mapping):
    """What `hstar inspect` prints: a mapping of tables, Phi_q, lambda, a, ... to arrays.

    t, mode, title                       of the instant
    rows, columns                        dicts: table -> names of its rows, and of the columns of a matrix
    about                                dict: table -> what it is
    dependent, independent, redundant    velocities of the partition, and rows that depend on others
    """

    def __init__(self, text: str):
        read = json.loads(text)
        self.title, self.t, self.mode = read["title"], read["t"], read["mode"]
        self.dependent, self.independent, self.redundant = read["dependent"], read["independent"], read["redundant"]
        tables = read["tables"]
        self._values = {name: np.array(table["values"], dtype=float) for name, table in tables.items()}
        self.rows = {name: table["rows"] for name, table in tables.items()}
        self.columns = {name: table["columns"] for name, table in tables.items() if "columns" in table}
        self.about = {name: table["about"] for name, table in tables.items()}

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._values[name]
        except KeyError:
            raise KeyError(f"there is no table '{name}'; there are: {', '.join(self._values)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    # A mapping compares by its items; arrays have no truth value.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<hstar.Inspection: t = {self.t:g} s, {', '.join(self._values)}>"
