"""hstar: exact event times for mechanisms with friction and impact.

    import hstar
    sol = hstar.run("sled.toml", rtol=1e-10)
    sol.t, sol["sled.x"], sol.events, sol(1.25)

    sol = hstar.solve_ivp(lambda t, y: [y[1], -9.81], (0, 3), [1.0, 0.0], events=floor)
"""

from .analyses import assemble, eliminate, equilibrium, inspect, inverse, kinematics, modes
from ._core import InputError, __version__
from .inspection import Inspection
from .model import Model
from .solution import Solution, load, run
from .ensemble import compare, sweep, validate
from .ivp import solve_ivp, OdeResult

__all__ = ["InputError", "Inspection", "Model", "OdeResult", "Solution", "assemble", "compare", "eliminate", "equilibrium", "inspect",
           "inverse", "kinematics", "load", "modes", "run", "solve_ivp", "sweep", "validate", "__version__"]
