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
    vectorized: bool = False, args=None, *, rtol: float = 1e-3, atol=1e-6, max_step: float = np.inf,
    first_step: float | None = None, jac=None, discontinuities=(),
) -> OdeResult:
    """y' = fun(t, y) from t_span[0] to t_span[1], as scipy.integrate.solve_ivp.

    events    function or list of functions g(t, y) -> float, with SciPy's attributes
                terminal   True or a count: the run ends there
                direction  > 0 rising only, < 0 falling only, 0 both
              and one more:
                change     function (t, y) -> new y: the state jumps there and the motion goes on
    atol      a number or one for each component; the tolerance of a component is its own or up to half of it
    jac       df/dy of implicit methods: a function (t, y) -> matrix, or a constant matrix
    discontinuities  times at which fun jumps: steps end there, and on either side fun is only asked on that side

    All roots within a step are found, also pairs that leave no change of sign at its ends.
    """
    if method not in _METHODS:
        raise ValueError(f"method {method!r} is not there; known are {', '.join(_METHODS)}")
    if vectorized:
        pass  # fun is called with one state at a time, which a vectorized one takes as well
    t0, t1 = map(float, t_span)
    if np.iscomplexobj(y0):
        raise ValueError("`y0` is complex; give real and imaginary parts as components of their own")
    y0 = np.asarray(y0, dtype=float)
    if y0.ndim != 1:
        raise ValueError("`y0` must be 1-dimensional.")
    atol = np.broadcast_to(np.asarray(atol, dtype=float), y0.shape)
    if not np.all(atol > 0):
        raise ValueError("`atol` must be positive.")
    if t0 == t1:  # as SciPy: nothing moves
        return OdeResult(t=np.array([t0]), y=y0[:, None], sol=None, t_events=None, y_events=None, grazes=[], nfev=0, njev=0,
                         nlu=0, status=0, message="The solver successfully reached the end of the integration interval.",
                         success=True)
    if args is not None:
        given, extra = fun, tuple(args)
        fun = lambda t, y: given(t, y, *extra)  # noqa: E731
    else:
        extra = ()
    listed = [] if events is None else list(events) if isinstance(events, (list, tuple)) else [events]
    sign = 1.0 if t1 > t0 else -1.0  # backward in time is forward in -t
    # Integrators take one atol: y is computed in units of which each component has that. Powers of two, so that no
    # digit changes.
    least = float(atol.min()) if atol.size else 1e-6
    unit = 2.0 ** np.floor(np.log2(atol / least)) if atol.size else np.ones(0)
    scaled = bool(np.any(unit != 1))

    def real_time(g: Callable) -> Callable:
        return (lambda s, y: g(sign * s, unit * y, *extra)) if extra or sign < 0 or scaled else g

    def changed(change: Callable) -> Callable:
        there = real_time(change)
        return (lambda s, y: np.asarray(there(s, y), dtype=float) / unit) if scaled else there

    plain = []
    for event in listed:
        terminal = getattr(event, "terminal", None) or 0
        if int(terminal) < 0 or terminal != int(terminal):
            raise ValueError("The `terminal` attribute of each event must be a boolean or positive integer.")
        direction = int(np.sign(getattr(event, "direction", None) or 0) * sign)
        change = getattr(event, "change", None)
        plain.append((real_time(event), direction, int(terminal), changed(change) if change else None))

    rates = fun if sign > 0 and not scaled else (lambda s, y: sign * np.asarray(fun(sign * s, unit * y)) / unit)
    slopes = None
    if jac is not None:
        matrix = (lambda t, y: jac(t, y, *extra)) if callable(jac) else (lambda t, y: jac)

        def slopes(s: float, y: np.ndarray) -> np.ndarray:
            by_y = matrix(sign * s, unit * y)
            by_y = np.asarray(by_y.toarray() if hasattr(by_y, "toarray") else by_y, dtype=float)
            return sign * by_y * unit / unit[:, None]
    jumps = [sign * float(t) for t in np.atleast_1d(np.asarray(discontinuities, dtype=float))]
    if not np.all(np.isfinite(jumps)):
        raise ValueError("`discontinuities` must be finite times.")
    core = _core.run_plain(
        rates, sign * t0, sign * t1, list(y0 / unit), _METHODS[method], float(rtol), least,
        0.0 if np.isinf(max_step) else float(max_step), float(first_step or 0.0), plain, slopes, jumps,
    )
    table = core.table
    t, y = sign * table[:, 0], table[:, 1:].T * unit[:, None]
    sol = lambda at: _read(core, sign, at, unit)  # noqa: E731
    t_events = [[] for _ in listed]
    y_events = [[] for _ in listed]
    grazes = []
    for event in core.events:
        k = int(event["element"])
        if event["kind"] == "graze":
            grazes.append((k, sign * event["t"]))
        else:
            t_events[k].append(sign * event["t"])
            y_events[k].append(np.asarray(event["y_before"]) * unit)
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


def _read(core, sign: float, at, unit: np.ndarray) -> np.ndarray:
    times = sign * np.atleast_1d(np.asarray(at, dtype=float))
    values = core.at(np.ascontiguousarray(times)).T * unit[:, None]
    return values[:, 0] if np.ndim(at) == 0 else values
