"""Analyses besides motion, planar and spatial: docs/analyses.md says what they answer. All take the path of
a model file or a Model, and give back what `--json` writes, as a dict."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Sequence, Union

from . import _core
from .model import Model
from .solution import spec_of

Source = Union[str, os.PathLike, Model]


def assemble(model: Source, *, keep: Sequence[str] = (), weights: Mapping[str, float] | None = None,
             set: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Rough estimates onto the constraints: coordinates, velocities, (in space) turns, rows, rank, redundant, free."""
    return json.loads(_core.assemble(spec_of(model, set), list(keep), list((weights or {}).items())))


def equilibrium(model: Source, *, nearest: bool = False, touching: Sequence[str] = (), coordinates: Sequence[str] = (),
                vary: Sequence[str] = (), intervals: bool = True, set: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A state of rest, its stability, and the intervals of coordinates that friction holds; `vary`: and of these parameters."""
    def changed(parameter: str, value: float) -> _core.ModelSpec:
        return spec_of(model, {**(set or {}), f"parameters.{parameter}": value})

    return json.loads(_core.equilibrium(spec_of(model, set), nearest, list(touching), list(coordinates), intervals, list(vary),
                                        changed))


def inverse(model: Source, *, set: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Forces and torques of the drivers for the motion they prescribe."""
    return json.loads(_core.inverse(spec_of(model, set)))


def modes(model: Source, *, given: bool = False, nearest: bool = False, friction: bool = True,
          touching: Sequence[str] = (), set: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Eigenvalues and shapes of the motion linearised about an equilibrium."""
    return json.loads(_core.modes(spec_of(model, set), given, nearest, friction, list(touching)))


def kinematics(model: Source, *, set: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Positions, velocities, accelerations and reactions of a driven mechanism: columns, units, rows, singular."""
    return _core.kinematics(spec_of(model, set))
