"""Analyses besides motion, planar and spatial: docs/analyses.md says what they answer. All take the path of
a model file or a Model, and give back what `--json` writes, as a dict."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Sequence, Union

import numpy as np

from . import _core
from .inspection import Inspection
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


def inspect(model: Source, t: float | None = None, *, step: float = 0.0, set: Mapping[str, Any] | None = None) -> Inspection:
    """Phi, Phi_q, nu, gamma, M, Q, lambda, ... at time t (default: the start); with a step the iteration matrix of the integrator."""
    return Inspection(_core.inspect(spec_of(model, set), t, step))


def eliminate(A, b=None, *, leading_rows: int = 0) -> dict[str, Any]:
    """Full-pivot elimination (gefp): rank, pivots, row_order and column_order (from 0), echelon; with b also b of the echelon form
    and a solution x of A x = b, zero for the independent columns."""
    a = np.asarray(A, dtype=float)
    if a.ndim != 2:
        raise ValueError("eliminate: A must be a matrix")
    found = _core.eliminate(a.ravel().tolist(), *a.shape, [] if b is None else np.asarray(b, dtype=float).tolist(), leading_rows)
    return {key: np.array(value) if isinstance(value, list) else value for key, value in found.items()}


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
