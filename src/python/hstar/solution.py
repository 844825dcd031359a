"""Running models, and what a run gives back."""

from __future__ import annotations

import html
import os
import tempfile
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _core
from .inspection import Inspection
from .model import Model, _toml

if TYPE_CHECKING:
    from typing import Unpack

    from .keys import Simulation

_SIMULATION = frozenset(_core.keys_of("simulation"))
# What a state is called: coordinates, and their rates.
_COORDINATES = (".x", ".y", ".z", ".angle", ".e0", ".e1", ".e2", ".e3")
_RATES = (".vx", ".vy", ".vz", ".omega", ".wx", ".wy", ".wz")
_FORCES = (".fx", ".fy", ".fz", ".torque", ".tx", ".ty", ".tz", ".normal", ".tangential")


class Solution(Mapping):
    """A finished run.

    t         (m,) times of the recorded rows [s]; two rows with the same t at a jump
    q, v      (n, m) coordinates and velocities, rows in the order of state_names; q_names, v_names
    lam       (r, m) reactions and contact forces, rows named by lam_names
    units     dict: column -> unit
    parameters, options, extremes, model_text   of the model as it ran
    events    list of dicts: t, kind, element, mode_before, mode_after, impulses, note, y_before, y_after, ...
    modes     dict: element -> list of (from, to, mode)
    energy    (m,) mechanical energy [J], or None
    stats     dict of counters
    success, status, message, notices
    sol(t)    state at any time of the run from the integrator's dense output: (n,) or (n, len(t))
    sol[name] a recorded column by its name, e.g. sol["sled.x"]; a Solution is a mapping of its columns: keys(), items(),
              len(sol), "sled.x" in sol
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
        self.parameters: dict[str, float] = dict(core.parameters)
        self.options: dict[str, str] = dict(core.options)
        self.extremes: list[dict[str, Any]] = core.extremes
        self.model_text: str = core.model_text
        self.q_names = [n for n in self.state_names if n.endswith(_COORDINATES)]
        self.v_names = [n for n in self.state_names if n.endswith(_RATES)]
        self.q, self.v = self._rows(self.q_names), self._rows(self.v_names)
        self.lam_names = [n for n in self.columns if n.endswith(_FORCES)]
        self.lam = self._rows(self.lam_names)
        self.energy = self["energy"] if "energy" in self.columns else None

    def _rows(self, names: list[str]) -> np.ndarray:
        return self._table[:, [self.columns.index(n) for n in names]].T

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._table[:, self.columns.index(name)]
        except ValueError:
            raise KeyError(f"nothing called '{name}' was recorded; there are: {', '.join(self.columns)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    # A mapping compares by its items; arrays have no truth value.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __call__(self, t) -> np.ndarray:
        if not self._core.has_dense:
            raise ValueError("sol(t): a run that was read from a file has its recorded rows only; run it again, or use sol[name]")
        times = np.atleast_1d(np.asarray(t, dtype=float))
        if times.ndim != 1:
            raise ValueError("sol(t): t must be a number or a one-dimensional array")
        if times.size and (times.min() < self.t[0] or times.max() > self.t[-1]):
            raise ValueError(f"sol(t): the run covers t = {self.t[0]} to {self.t[-1]} s, asked for {times.min()} to {times.max()}")
        values = self._core.at(times).T
        return values[:, 0] if np.ndim(t) == 0 else values

    @property
    def modes(self) -> dict[str, list[tuple[float, float, str]]]:
        return self._core.modes

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

    def inspect(self, t: float, *, step: float = 0.0) -> Inspection:
        """The equations at time t (hstar.inspect): the model runs once more up to there."""
        return Inspection(self._core.inspect(t, step))

    def to_csv(self, folder: str) -> None:
        """Writes trajectory.csv, events.csv and summary.json as `hstar run` does."""
        self._core.write_files(os.fspath(folder))

    def report(self, path: str) -> None:
        """Writes the page that `hstar run` writes."""
        self._core.write_report(os.fspath(path))

    def to_dataframe(self, t=None):
        """The recorded rows as a pandas DataFrame over t, or the state at the times `t` (a number: so many, evenly spaced)."""
        import pandas

        if t is None:
            return pandas.DataFrame({name: self[name] for name in self.columns[1:]}, index=pandas.Index(self.t, name="t"))
        times = np.linspace(self.t[0], self.t[-1], t) if isinstance(t, int) else np.asarray(t, dtype=float)
        return pandas.DataFrame(self(times).T, columns=self.state_names, index=pandas.Index(times, name="t"))

    def to_xarray(self):
        """The recorded rows as an xarray Dataset over t, units as attributes."""
        import xarray

        return xarray.Dataset({name: ("t", self[name], {"units": self.units[name]}) for name in self.columns[1:]},
                              coords={"t": ("t", self.t, {"units": "s"})})

    def save(self, path) -> None:
        """Writes run.h5; hstar.load reads it."""
        self._core.write_hdf5(os.fspath(path))

    def __reduce__(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            self.save(path)
            with open(path, "rb") as file:
                return _restored, (file.read(), self._core.dense_state())

    def __deepcopy__(self, memo) -> "Solution":
        restore, state = self.__reduce__()
        return restore(*state)

    def _repr_html_(self) -> str:
        """The report, in a notebook."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.html")
            self.report(path)
            with open(path, encoding="utf-8") as file:
                return f'<iframe style="width:100%;height:720px;border:0" srcdoc="{html.escape(file.read())}"></iframe>'

    def __repr__(self) -> str:
        return f"<hstar.Solution: {self.status} at t = {self._core.t_end:g} s, {len(self.events)} events, {self.t.size} rows>"


def load(path) -> Solution:
    """A run from its run.h5, or from the folder it is in. It has rows and events; sol(t) needs the run itself."""
    path = os.fspath(path)
    return Solution(_core.read_solution(os.path.join(path, "run.h5") if os.path.isdir(path) else path))


def _restored(stored: bytes, dense) -> Solution:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.h5")
        with open(path, "wb") as file:
            file.write(stored)
        core = _core.read_solution(path)
    core.restore_dense(*dense)
    return Solution(core)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else _toml(value)


def run(model: Union[str, os.PathLike, Model], *, set: dict[str, Any] | None = None, **options: Unpack[Simulation]) -> Solution:
    """Simulates a model file or a Model.

    options   any key of [simulation]: end, rtol, atol, integrator, formulation, max_step, output, ...
    set       anything else: {"parameters.mu": 0.3, "body.sled.mass": 2}

    Raises InputError (a ValueError) for a model that cannot be run. A run that ends short comes back with
    success = False, its reason in message, and everything computed until then; Ctrl-C gives status "interrupted".
    """
    unknown = sorted(o for o in options if o not in _SIMULATION)
    if unknown:
        raise TypeError(f"unknown option {unknown[0]!r}; known are {', '.join(sorted(_SIMULATION))}; anything else goes into set={{...}}")
    return Solution(_core.run_model(spec_of(model, set, options), _changes(set, options)))


def _changes(set=None, options=None) -> list[tuple[str, str]]:
    """As of --set: [simulation] options, then anything else."""
    return [(f"simulation.{key}", _text(value)) for key, value in (options or {}).items()] + \
           [(key, _text(value)) for key, value in (set or {}).items()]


def spec_of(model: Union[str, os.PathLike, Model], set=None, options=None) -> _core.ModelSpec:
    """A model read, with changes and [simulation] options."""
    changes = _changes(set, options)
    if isinstance(model, Model):
        return model._spec(changes)
    return _core.read_model(os.fspath(model), changes)
