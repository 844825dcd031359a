"""Running models, and what a run gives back."""

from __future__ import annotations

import os
from typing import Any, Union

import numpy as np

from . import _core
from .model import Model

_SIMULATION = {
    "end", "start", "integrator", "formulation", "rtol", "atol", "max_step", "first_step", "fixed_step", "output",
    "stop_after_events",
}


class Solution:
    """A finished run.

    t         (m,) times of the recorded rows [s]; two rows with the same t at a jump
    q, v      (n, m) coordinates and velocities, rows in the order of state_names
    lam       (r, m) reactions and contact forces, rows named by lam_names
    events    list of dicts: t, kind, element, mode_before, mode_after, impulses, note, y_before, y_after, ...
    modes     dict: element -> list of (from, to, mode)
    energy    (m,) mechanical energy [J], or None
    stats     dict of counters
    success, status, message, notices
    sol(t)    state at any time of the run from the integrator's dense output: (n,) or (n, len(t))
    sol[name] a recorded column by its name, e.g. sol["sled.x"]
    """

    def __init__(self, core: _core.Solution):
        self._core = core
        self.columns: list[str] = list(core.columns)
        self.units: dict[str, str] = dict(zip(core.columns, core.units))
        self._table = core.table
        self._table.flags.writeable = False
        self.t = self._table[:, 0]
        self.state_names: list[str] = list(core.state_names)
        self.events: list[dict[str, Any]] = core.events
        self.stats: dict[str, int] = core.stats
        self.success: bool = core.success
        self.status: str = core.status
        self.message: str = core.message
        self.notices: list[str] = list(core.notices)
        rates = (".vx", ".vy", ".omega")
        moving = [n for n in self.state_names if n.endswith((".x", ".y", ".angle")) or n.endswith(rates)]
        self.q = self._rows([n for n in moving if not n.endswith(rates)])
        self.v = self._rows([n for n in moving if n.endswith(rates)])
        self.lam_names = [n for n in self.columns if n.endswith((".fx", ".fy", ".torque", ".normal", ".tangential"))]
        self.lam = self._rows(self.lam_names)
        self.energy = self["energy"] if "energy" in self.columns else None

    def _rows(self, names: list[str]) -> np.ndarray:
        return self._table[:, [self.columns.index(n) for n in names]].T

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._table[:, self.columns.index(name)]
        except ValueError:
            raise KeyError(f"nothing called '{name}' was recorded; there are: {', '.join(self.columns)}") from None

    def __call__(self, t) -> np.ndarray:
        times = np.atleast_1d(np.asarray(t, dtype=float))
        if times.ndim != 1:
            raise ValueError("sol(t): t must be a number or a one-dimensional array")
        if times.size and (times.min() < self.t[0] or times.max() > self.t[-1]):
            raise ValueError(f"sol(t): the run covers t = {self.t[0]} to {self.t[-1]} s, asked for {times.min()} to {times.max()}")
        values = self._core.at(times).T
        return values[:, 0] if np.ndim(t) == 0 else values

    @property
    def modes(self) -> dict[str, list[tuple[float, float, str]]]:
        bands: dict[str, list[tuple[float, float, str]]] = {}
        for event in self.events:
            if event["mode_before"] == event["mode_after"]:
                continue
            band = bands.setdefault(event["element"], [(float(self.t[0]), float(self.t[0]), event["mode_before"])])
            begin, _, mode = band.pop()
            if event["t"] > begin:
                band.append((begin, event["t"], mode))
            band.append((event["t"], float(self.t[-1]), event["mode_after"]))
        return bands

    def plot(self, *names: str, ax=None):
        """Columns over time (default: all coordinates) with the events as marks; needs Matplotlib. Returns the axes."""
        import matplotlib.pyplot as plt

        names = names or tuple(n for n in self.state_names if n.endswith((".x", ".y", ".angle"))) or tuple(self.state_names)
        ax = ax or plt.gca()
        for name in names:
            unit = self.units.get(name, "")
            ax.plot(self.t, self[name], label=f"{name} [{unit}]" if unit else name)
        for event in self.events:
            ax.axvline(event["t"], color="0.8", linewidth=0.6, zorder=0)
        ax.set_xlabel("t [s]")
        ax.legend()
        return ax

    def to_csv(self, folder: str) -> None:
        """Writes trajectory.csv, events.csv and summary.json as `hstar run` does."""
        self._core.write_files(os.fspath(folder))

    def report(self, path: str) -> None:
        """Writes the page that `hstar run` writes."""
        self._core.write_report(os.fspath(path))

    def __repr__(self) -> str:
        return f"<hstar.Solution: {self.status} at t = {self._core.t_end:g} s, {len(self.events)} events, {self.t.size} rows>"


def _text(value: Any) -> str:
    return repr(float(value)) if isinstance(value, float) or hasattr(value, "dtype") else str(value)


def run(model: Union[str, os.PathLike, Model], *, set: dict[str, Any] | None = None, **options) -> Solution:
    """Simulates a model file or a Model.

    options   end, rtol, atol, integrator, formulation, max_step, output, ... as in [simulation]
    set       anything else: {"parameters.mu": 0.3, "body.sled.mass": 2}

    Raises InputError (a ValueError) for a model that cannot be run. A run that ends short comes back with
    success = False, its reason in message, and everything computed until then; Ctrl-C gives status "interrupted".
    """
    unknown = sorted(o for o in options if o not in _SIMULATION)
    if unknown:
        raise TypeError(f"unknown option {unknown[0]!r}; known are {', '.join(sorted(_SIMULATION))}; anything else goes into set={{...}}")
    return Solution(_core.run_model(spec_of(model, set, options)))


def spec_of(model: Union[str, os.PathLike, Model], set=None, options=None) -> _core.ModelSpec:
    """A model read, with changes and [simulation] options."""
    changes = [(f"simulation.{key}", _text(value)) for key, value in (options or {}).items()]
    changes += [(key, _text(value)) for key, value in (set or {}).items()]
    if isinstance(model, Model):
        return model._spec(changes)
    return _core.read_model(os.fspath(model), changes)
