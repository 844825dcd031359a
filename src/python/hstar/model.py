"""Models built in code: the same words as a model file, as keyword arguments."""

from __future__ import annotations

import math
import os
import re
from typing import TYPE_CHECKING, Any, Callable

from . import _core

if TYPE_CHECKING:  # what editors complete
    from typing import Unpack

    from .keys import Body, Contact, Controller, Force, Guard, Joint, Measure, Simulation, State, System, Table

_SECTIONS = ("body", "joint", "force", "contact", "state", "guard", "measure", "controller", "table")


def _toml(value: Any) -> str:
    """A value as TOML. Numbers keep every bit."""
    if hasattr(value, "tolist"):  # NumPy's arrays and numbers
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, int):
        return str(value)
    number = float(value)
    if math.isnan(number):
        return "nan"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return repr(number)


class Model:
    """A mechanism or hybrid automaton, section by section.

    Keywords are the keys of docs/model-file.md; every number may be a formula in text.

        sled = hstar.Model("Drag sled", gravity=[0, -9.81], mu=0.4)
        sled.simulation(end=60, integrator="dopri5", rtol=1e-9)
        sled.body("sled", mass=12.5)
        sled.joint("plate", type="translational", bodies=["ground", "sled"], axis=[1, 0],
                   friction=dict(mu_static="mu", mu_kinetic=0.3))
        sol = sled.run()

    `dimension=3` makes a spatial model. `parameters` become names for formulas. Methods return the model, so that calls can be chained.
    """

    def __init__(self, title: str = "", *, dimension: int | None = None, gravity=None, **parameters):
        self._head: dict[str, Any] = {"title": title} if title else {}
        if dimension is not None:
            self._head["dimension"] = dimension
        if gravity is not None:
            self._head["gravity"] = gravity
        self._parameters = dict(parameters)
        self._simulation: dict[str, Any] = {}
        self._system: dict[str, Any] = {}
        self._elements: list[tuple[str, dict[str, Any]]] = []
        self._functions: list[tuple[str, Callable]] = []

    @classmethod
    def from_file(cls, path, **parameters) -> "Model":
        """The model of a file, to which more may be added; parameters and the keys of `simulation` given here count."""
        model = cls(**parameters)
        model._head["include"] = [os.path.abspath(path)]
        return model

    def parameters(self, **values) -> "Model":
        self._parameters.update(values)
        return self

    def simulation(self, **options: Unpack[Simulation]) -> "Model":
        """The keys of [simulation]."""
        self._simulation.update(options)
        return self

    def system(self, **keys: Unpack[System]) -> "Model":
        """The keys of [system]."""
        self._system.update(keys)
        return self

    def _add(self, section: str, name: str, keys: dict[str, Any]) -> "Model":
        self._elements.append((section, {"name": name, **keys}))
        return self

    def body(self, name: str, **keys: Unpack[Body]) -> "Model":
        """The keys of [[body]]."""
        return self._add("body", name, keys)

    def joint(self, name: str, **keys: Unpack[Joint]) -> "Model":
        """The keys of [[joint]]."""
        return self._add("joint", name, keys)

    def force(self, name: str, *, function: Callable | None = None, **keys: Unpack[Force]) -> "Model":
        """The keys of [[force]]; or `function` with `body` or `bodies` (up to 8):

        function(t, q, v) -> [fx, fy, torque]    of one body: q = [x, y, angle], v = [vx, vy, omega] of its centre of mass
        function(t, q, v) -> (n, 3) array        of n bodies: a row each

        in N, N m (about the centre of mass), m, rad, m/s, rad/s. Smooth; what jumps belongs into a guard.
        With dimension=3 q = [x, y, z, e0, e1, e2, e3], v = [vx, vy, vz, wx, wy, wz] (angular velocity in body axes), and what is
        returned is [fx, fy, fz, tx, ty, tz]: along global axes, or those of the body with frame="body"; the force acts at `point` of
        the body (`points` of the bodies), in body coordinates, if it is not the centre of mass.
        """
        if function is None:
            return self._add("force", name, keys)
        frame, points = keys.pop("frame", ""), list(keys.pop("points", []))
        if "body" in keys:
            bodies, points = [keys.pop("body")], [keys.pop("point")] if "point" in keys else points
        else:
            bodies = list(keys.pop("bodies", []))
        if keys or not bodies:
            raise TypeError(f"force {name!r}: give function and body=... or bodies=[...]" + (f", not {', '.join(keys)}" if keys else ""))
        self._functions.append((name, lambda spec: _core.add_force(spec, name, bodies, function, frame, points)))
        return self

    def contact(self, name: str, **keys: Unpack[Contact]) -> "Model":
        """The keys of [[contact]]."""
        return self._add("contact", name, keys)

    def state(self, name: str, **keys: Unpack[State]) -> "Model":
        """The keys of [[state]]."""
        return self._add("state", name, keys)

    def guard(self, name: str, *, function: Callable | None = None, change: Callable | None = None, **keys: Unpack[Guard]) -> "Model":
        """The keys of [[guard]]; or `function` with `crossing`, `kind`, `terminal` and `change`:

        function(t, y) -> float    its sign change is the event; y in the order of Solution.state_names
        change(t, y) -> new y      the motion goes on from there (moved onto the constraints, if there are any)
        """
        if function is None:
            if change is not None:
                raise TypeError(f"guard {name!r}: change goes with function; formulas have reset = {{...}}")
            return self._add("guard", name, keys)
        crossing, kind, terminal = keys.pop("crossing", "either"), keys.pop("kind", ""), keys.pop("terminal", False)
        if keys:
            raise TypeError(f"guard {name!r}: {', '.join(keys)} do not go with function")
        self._functions.append((name, lambda spec: _core.add_guard(spec, name, function, crossing, kind, bool(terminal), change)))
        return self

    def measure(self, name: str, **keys: Unpack[Measure]) -> "Model":
        """The keys of [[measure]]."""
        return self._add("measure", name, keys)

    def controller(self, name: str, **keys: Unpack[Controller]) -> "Model":
        """The keys of [[controller]]."""
        return self._add("controller", name, keys)

    def table(self, name: str, **keys: Unpack[Table]) -> "Model":
        """The keys of [[table]]."""
        return self._add("table", name, keys)

    def to_toml(self) -> str:
        """The model as the text of a model file; a ValueError if Python functions are part of it."""
        if self._functions:
            names = ", ".join(name for name, _ in self._functions)
            raise ValueError(f"{names}: Python functions cannot be written to a model file")
        return self._text()

    def _spec(self, changes):
        try:
            spec = _core.parse_model(self._text(), "model", changes)
        except _core.InputError as error:
            # The message names the element; its place is in a text that nobody has seen.
            raise _core.InputError(re.sub(r"^model:\d+:\d+: ", "", str(error))) from None
        for _, add in self._functions:
            add(spec)
        return spec

    def _text(self) -> str:
        lines = [f"{key} = {_toml(value)}" for key, value in self._head.items()]
        for section, table in (("parameters", self._parameters), ("simulation", self._simulation), ("system", self._system)):
            if table:
                lines += ["", f"[{section}]"] + [f"{key} = {_toml(value)}" for key, value in table.items()]
        for section, table in self._elements:
            lines += ["", f"[[{section}]]"] + [f"{key} = {_toml(value)}" for key, value in table.items()]
        return "\n".join(lines) + "\n"

    def describe(self) -> str:
        """What `hstar info` prints: degrees of freedom, redundant constraints, first mode, options."""
        return _core.describe_model(self._spec([]))

    def run(self, **options):
        """Simulates the model; see hstar.run."""
        from .solution import run

        return run(self, **options)

    def save(self, path) -> None:
        """Writes the model as a model file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_toml())

    def __repr__(self) -> str:
        counts: dict[str, int] = {}
        for section in [section for section, _ in self._elements] + ["function"] * len(self._functions):
            counts[section] = counts.get(section, 0) + 1
        parts = [os.path.basename(path) for path in self._head.get("include", [])]
        parts += [f"{count} {section}" for section, count in counts.items()]
        return f"<hstar.Model {self._head.get('title', '')!r}: {', '.join(parts) or 'empty'}>"


def _say_keys() -> None:
    """Every method that takes keys says them: names, units, defaults, meaning, from the table that reads model files."""
    for section in ("simulation", "system", *_SECTIONS):
        method = getattr(Model, section)
        lines = [f"    {name}{f' [{unit}]' if unit else ''}: {about}" + (f" (default {standard})" if standard else "")
                 for name, (unit, standard, about, _) in _core.keys_of(section).items()]
        method.__doc__ = f"{method.__doc__}\n\n" + "\n".join(lines) + "\n"


_say_keys()
