"""Many runs: parameters that vary, methods that are compared, references that are met."""

from __future__ import annotations

import itertools
import os
from concurrent.futures import Executor, ProcessPoolExecutor
from typing import Any, Callable, Mapping, Sequence, Union

from . import _core
from .model import Model
from .solution import Solution, _text, run

Source = Union[str, os.PathLike, Model]
Quantity = Union[str, Callable[[Solution], Any]]


def _value(sol: Solution, wanted: Quantity) -> Any:
    """events.count, events.KIND, event.N.t, end.t, end.COLUMN, min(COLUMN), max(COLUMN), or a function of the Solution."""
    if callable(wanted):
        return wanted(sol)
    events = [e for e in sol.events if not e["optional"]]
    head, _, rest = wanted.partition(".")
    if wanted == "events.count":
        return len(events)
    if head == "events" and rest:
        return sum(e["kind"] == rest for e in events)
    if head == "event" and rest.endswith(".t") and rest[:-2].isdigit() and int(rest[:-2]) > 0:
        number = int(rest[:-2])
        return events[number - 1]["t"] if number <= len(events) else float("nan")
    if head == "end" and rest:
        return float(sol.t[-1] if rest == "t" else sol[rest][-1])
    for word, extreme in (("min(", min), ("max(", max)):
        if wanted.startswith(word) and wanted.endswith(")"):
            return float(extreme(sol[wanted[4:-1]]))
    raise ValueError(f"collect {wanted!r}: known are events.count, events.KIND, event.N.t, end.t, end.COLUMN, min(COLUMN), "
                     "max(COLUMN), and functions of the Solution")


def _member(model: Source, changes: dict[str, Any], collect: Sequence[Quantity], options: dict[str, Any]) -> dict[str, Any]:
    try:
        sol = run(model, set=changes, **options)
    except _core.InputError as error:  # a value that the model cannot have is a row with its reason
        return {"status": "input_error", "message": str(error)}
    row = {"status": sol.status, "message": sol.message}
    for wanted in collect:
        row[wanted if isinstance(wanted, str) else wanted.__name__] = _value(sol, wanted)
    return row


def sweep(model: Source, vary: Mapping[str, Sequence[Any]], *, collect: Sequence[Quantity] = ("events.count", "end.t"),
          processes: int | None = None, executor: Executor | None = None, frame: bool = True, **options):
    """A run for each combination of the values of `vary` ({"mu": [0.3, 0.4], "body.sled.mass": np.linspace(1, 2, 5)}; a
    name without dots is a parameter). Returns a pandas DataFrame, or with frame=False a list of dicts: the values, what is
    collected, status and message. A run that ends short, or a value that a model cannot have, is a row with its reason.

    collect    texts as of `hstar sweep --collect`, or functions of the Solution
    processes  > 1: so many processes; 1 or None: this one
    executor   any concurrent.futures.Executor instead, also that of a Dask cluster: client.get_executor(); work whose worker
               dies is the executor's to repeat
    options    of hstar.run

    The table is in the order of the combinations, whoever computed them.
    """
    names = list(vary)
    combinations = [dict(zip(names, values)) for values in itertools.product(*(list(vary[name]) for name in names))]

    def changes(values: dict[str, Any]) -> dict[str, Any]:
        return {name if "." in name else f"parameters.{name}": _text(value) for name, value in values.items()}

    if executor is None and processes is not None and processes > 1:
        with ProcessPoolExecutor(processes) as pool:
            return sweep(model, vary, collect=collect, executor=pool, frame=frame, **options)
    if executor is None:
        rows = [_member(model, changes(values), collect, options) for values in combinations]
    else:
        futures = [executor.submit(_member, model, changes(values), tuple(collect), options) for values in combinations]
        rows = [future.result() for future in futures]
    table = [{**values, **row} for values, row in zip(combinations, rows)]
    if not frame:
        return table
    import pandas

    return pandas.DataFrame(table)


def compare(model: Union[str, os.PathLike], *, formulations: Sequence[str] = (), integrators: Sequence[str] = (),
            rtol: Sequence[float] = (), steps: Sequence[float] = (), set: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """What `hstar compare` prints, a dict a method and tolerance: cost, drift, errors of events and of the end."""
    changes = [(key, _text(value)) for key, value in (set or {}).items()]
    return _core.compare(os.fspath(model), changes, list(formulations), list(integrators), list(rtol), list(steps))


def validate(*problems: str, folder: str = "") -> tuple[bool, str]:
    """What `hstar validate` does: whether everything passed, and the text of its report."""
    short, text = _core.validate(list(problems), folder)
    return short == 0, text
