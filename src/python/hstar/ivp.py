"""solve_ivp with SciPy's signature, for functions of one's own: every root of every event function is found."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _core

_METHODS = {
    "RK45": "dopri5", "RK23": "ode23", "DOP853": "dop853", "BDF": "bdf",
    "dopri5": "dopri5", "ode45": "dopri5", "ode23": "ode23", "dop853": "dop853", "bdf": "bdf",
    "rosenbrock4": "rosenbrock4", "Radau": "radau", "radau": "radau", "bulirsch_stoer": "bulirsch_stoer",
}


class OdeResult(dict):
    """Fields as attributes, as in SciPy: t, y, sol, t_events, y_events, nfev, njev, nlu, status, message, success;
    besides, grazes: a list of (event, t) where an event function touched zero without a decidable crossing."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def solve_ivp(
    fun: Callable, t_span, y0, method: str = "RK45", t_eval=None, dense_output: bool = False, events=None,
    vectorized: bool = False, args=None, *, rtol: float = 1e-3, atol: float = 1e-6, max_step: float = np.inf,
    first_step: float | None = None,
) -> OdeResult:
    """y' = fun(t, y) from t_span[0] to t_span[1], as scipy.integrate.solve_ivp.

    events    function or list of functions g(t, y) -> float, with SciPy's attributes
                terminal   True or a count: the run ends there
                direction  > 0 rising only, < 0 falling only, 0 both
              and one more:
                change     function (t, y) -> new y: the state jumps there and the motion goes on

    All roots within a step are found, also pairs that leave no change of sign at its ends.
    """
    if method not in _METHODS:
        raise ValueError(f"method {method!r} is not there; known are {', '.join(_METHODS)}")
    if vectorized:
        pass  # fun is called with one state at a time, which a vectorized one takes as well
    t0, t1 = map(float, t_span)
    y0 = np.asarray(y0, dtype=float)
    if y0.ndim != 1:
        raise ValueError("`y0` must be 1-dimensional.")
    atol = np.asarray(atol, dtype=float)
    if atol.ndim and np.any(atol != atol.flat[0]):
        raise ValueError("`atol` must be one number: hstar's integrators take the same for all components")
    if t0 == t1:
        raise ValueError("`t_span` is empty")
    if args is not None:
        given, extra = fun, tuple(args)
        fun = lambda t, y: given(t, y, *extra)  # noqa: E731
    else:
        extra = ()
    listed = [] if events is None else list(events) if isinstance(events, (list, tuple)) else [events]
    sign = 1.0 if t1 > t0 else -1.0  # backward in time is forward in -t

    def real_time(g: Callable) -> Callable:
        return (lambda s, y: g(sign * s, y, *extra)) if extra or sign < 0 else g

    plain = []
    for event in listed:
        terminal = getattr(event, "terminal", None) or 0
        if int(terminal) < 0 or terminal != int(terminal):
            raise ValueError("The `terminal` attribute of each event must be a boolean or positive integer.")
        direction = int(np.sign(getattr(event, "direction", None) or 0) * sign)
        change = getattr(event, "change", None)
        plain.append((real_time(event), direction, int(terminal), real_time(change) if change and (extra or sign < 0) else change))

    rates = fun if sign > 0 else (lambda s, y: -np.asarray(fun(-s, y)))
    core = _core.run_plain(
        rates, sign * t0, sign * t1, list(y0), _METHODS[method], float(rtol), float(atol.flat[0]),
        0.0 if np.isinf(max_step) else float(max_step), float(first_step or 0.0), plain,
    )
    table = core.table
    t, y = sign * table[:, 0], table[:, 1:].T
    sol = lambda at: _read(core, sign, at)  # noqa: E731
    t_events = [[] for _ in listed]
    y_events = [[] for _ in listed]
    grazes = []
    for event in core.events:
        k = int(event["element"])
        if event["kind"] == "graze":
            grazes.append((k, sign * event["t"]))
        else:
            t_events[k].append(sign * event["t"])
            y_events[k].append(event["y_before"])
    if t_eval is not None:
        wanted = np.asarray(t_eval, dtype=float)
        low, high = min(t0, t1), max(t0, t1)
        if wanted.ndim != 1 or np.any(wanted < low) or np.any(wanted > high):
            raise ValueError("Values in `t_eval` are not within `t_span`.")
        wanted = wanted[sign * wanted <= core.t_end]
        t, y = wanted, sol(wanted)
    stats = core.stats
    terminal_end = core.status == "terminal_event"
    return OdeResult(
        t=t, y=y, sol=sol if dense_output else None,
        t_events=[np.array(x) for x in t_events] if events is not None else None,
        y_events=[np.array(x).reshape(len(x), y0.size) for x in y_events] if events is not None else None,
        grazes=grazes, nfev=stats["evaluations"], njev=stats["jacobians"], nlu=stats["factorisations"],
        status=1 if terminal_end else 0 if core.success else -1,
        message="A termination event occurred." if terminal_end
        else "The solver successfully reached the end of the integration interval." if core.success else core.message,
        success=core.success,
    )


def _read(core, sign: float, at) -> np.ndarray:
    times = sign * np.atleast_1d(np.asarray(at, dtype=float))
    values = core.at(np.ascontiguousarray(times)).T
    return values[:, 0] if np.ndim(at) == 0 else values
