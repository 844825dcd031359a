from typing import Any, Callable
import numpy as np

__version__: str

class InputError(ValueError): ...

class ModelSpec:
    title: str
    text: str
    parameters: list[tuple[str, float]]

class Solution:
    columns: list[str]
    units: list[str]
    table: np.ndarray
    events: list[dict[str, Any]]
    state_names: list[str]
    y_end: list[float]
    notices: list[str]
    stats: dict[str, int]
    status: str
    success: bool
    message: str
    mode_end: str
    t_end: float
    def at(self, t: np.ndarray) -> np.ndarray: ...
    def write_report(self, path: str) -> None: ...
    def write_files(self, folder: str) -> None: ...

def read_model(path: str, set: list[tuple[str, str]]) -> ModelSpec: ...
def parse_model(text: str, name: str, set: list[tuple[str, str]]) -> ModelSpec: ...
def add_force(model: ModelSpec, name: str, bodies: list[str], function: Callable) -> None: ...
def add_guard(model: ModelSpec, name: str, function: Callable, crossing: str, kind: str, terminal: bool, change: Any) -> None: ...
def describe_model(model: ModelSpec) -> str: ...
def run_model(model: ModelSpec) -> Solution: ...
def run_plain(fun: Callable, t0: float, t1: float, y0: list[float], integrator: str, rtol: float, atol: float,
              max_step: float, first_step: float, events: list[tuple[Callable, int, int, Any]]) -> Solution: ...
