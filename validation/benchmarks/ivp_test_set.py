#!/usr/bin/env python3
"""Problems of the Test Set for IVP Solvers (ivp/): correct digits beside the steps that they cost, rejected ones
among them (of SciPy and the slider-crank: accepted ones).

usage: validation/benchmarks/ivp_test_set.py [--hstar FILE] [--picture FILE.svg] [--check]
(for the slider-crank, whose rates are a Python function, PYTHONPATH has hstar's package)

scd is the number of significant correct digits of the test set: -log10 of the largest relative error at the end, against the
published digits of ivp/reference.toml. atol is rtol times the number given there. Beside hstar's methods stand codes that it
shares nothing with, where they are installed: RADAU5, DASPK (the successor of DASSL) and the BDF of LSODE from R's deSolve
(Debian: r-cran-desolve), SciPy's Radau and BDF, and what MEBDFI's authors published.

--check (a test): radau has the digits of the reference, and at most 1.5 times the steps of RADAU5 at the same tolerance (`steps`
of the reference): its norm is the largest component, RADAU5's the mean over all.
"""
import argparse
import importlib
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

here = pathlib.Path(__file__).resolve().parent
sys.path.append(str(here / "ivp"))
sys.dont_write_bytecode = True
TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10)
METHODS = (("radau", {}), ("bdf", {}), ("rosenbrock4", {}))
CONSTRAINED = tuple((method, {"formulation": formulation}) for method, formulation in (
    ("radau", "ggl"), ("radau", "index1"), ("bdf", "index3"), ("hht", "index3"), ("ida", "ggl"), ("dop853", "projection"),
    ("radau", "projection")))
# Hairer's driver dr1_radau5.f: eps = 1e-6, y(0) = (2, -0.66), rtol = atol = 1e-4; its own output.
RADAU5 = {"accepted": 238, "steps": 275}


def run(hstar, model, integrator, rtol, atol, options, folder):
    """End of a run by column, and its counters."""
    command = [hstar, "run", str(model), "--integrator", integrator, "--rtol", "%g" % rtol, "-o", folder,
               "--set", "simulation.atol=%g" % atol, "--set", "simulation.output=steps"]
    for key, value in options.items():
        command += ["--formulation", value] if key == "formulation" else ["--set", "parameters.%s=%s" % (key, value)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if said.returncode != 0:
        return None, None
    lines = [line for line in open(pathlib.Path(folder) / "trajectory.csv", encoding="utf-8") if line[0] != "#"]
    end = dict(zip(lines[0].strip().split(","), map(float, lines[-1].split(","))))
    return end, json.load(open(pathlib.Path(folder) / "summary.json", encoding="utf-8"))["counters"]


def digits(end, states):
    """Of values and of differences "a - b" of two."""
    found = {name: end[name.split(" - ")[0]] - sum(end[less] for less in name.split(" - ")[1:]) for name in states}
    worst = max(abs(found[name] / value - 1) for name, value in states.items())
    return -math.log10(worst) if worst > 0 else 16.0


class Formulas:
    """The problem of a model file that consists of states."""

    def __init__(self, model):
        text = tomllib.loads(model.read_text(encoding="utf-8"))
        value = lambda x: float(eval(str(x), dict(text.get("parameters", {}))))
        self.names = [s["name"] for s in text["state"]]
        self.start = [value(s.get("initial", 0)) for s in text["state"]]
        self.end = text["simulation"]["end"]
        self.texts = [s["rate"] for s in text["state"]]
        self.code = compile("[" + ",".join(s.replace("^", "**") for s in self.texts) + "]", str(model), "eval")

    def rates(self, t, y):
        return eval(self.code, {**vars(math), **dict(zip(self.names, y)), "t": t})


def solvers_of(problem):
    """(name, solve_ivp, method) of SciPy, and of hstar where the rates are a Python function."""
    if not isinstance(problem, Formulas):
        try:
            from hstar import solve_ivp
            for method in ("Radau", "BDF", "DOP853"):
                yield method.lower(), solve_ivp, method
        except ImportError:
            print("(hstar's Python package is not on PYTHONPATH: no " + problem.__name__ + ")")
    try:
        from scipy.integrate import solve_ivp
        yield "SciPy Radau", solve_ivp, "Radau"
        yield "SciPy BDF", solve_ivp, "BDF"
    except ImportError:
        pass


def function_steps(problem, rtol, atol, states, only=""):
    """(method, digits, accepted steps) of codes that take the rates as a function."""
    for name, solve_ivp, method in solvers_of(problem):
        if only and name != only:
            continue
        solution = solve_ivp(problem.rates, (0, problem.end), problem.start, method=method, rtol=max(rtol, 1e-13), atol=atol)
        if solution.success:
            yield name, digits(dict(zip(problem.names, solution.y[:, -1])), states), len(solution.t) - 1


def desolve_steps(problem, states, tolerances, atol):
    """(code, rtol, digits, steps) of R's deSolve: its formulas are written as hstar's are. Rejected steps of RADAU5 are counted."""
    if not shutil.which("Rscript") or not isinstance(problem, Formulas):
        return
    values = lambda pairs: "c(" + ", ".join(pairs) + ")"
    script = "library(deSolve)\nf <- function(t, y, p) with(as.list(y), list(%s))\n" % values(problem.texts)
    script += "start <- %s\n" % values("%s = %r" % pair for pair in zip(problem.names, problem.start))
    for rtol in tolerances:
        for code in ("radau", "daspk", "bdf"):
            script += ('o <- try(ode(start, c(0, %r), f, NULL, method = "%s", rtol = %r, atol = %r, maxsteps = 1e6), TRUE)\n'
                       'if (!inherits(o, "try-error") && nrow(o) == 2 && attributes(o)$istate[1] > 0) cat("%s", %r, attributes(o)$istate[2], format(o[2, -1], digits = 17), "\\n")\n'
                       % (problem.end, code, rtol, rtol * atol, code, rtol))
    said = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True, timeout=600).stdout
    names = {"radau": "RADAU5", "daspk": "DASPK", "bdf": "LSODE BDF"}
    for line in said.splitlines():
        if match := re.match(r"(radau|daspk|bdf) (.*)", line):
            rtol, steps, *end = map(float, match[2].split())
            yield names[match[1]], rtol, digits(dict(zip(problem.names, end)), states), int(steps)


def picture(points, path):
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    matplotlib.rcParams.update({"svg.hashsalt": "hstar", "font.size": 8})
    problems = list(points)
    figure, axes = pyplot.subplots(2, math.ceil(len(problems) / 2), figsize=(14, 6))
    for plot, problem in zip(axes.flat, problems):
        for method, line in points[problem].items():
            plot.plot([p[0] for p in line], [p[1] for p in line], "-" if method.split()[0].islower() else "--", marker=".", label=method)
        plot.set_title(problem.replace("_", " "))
        plot.set_yscale("log")
        plot.set_xlabel("correct digits")
        plot.set_xlim(left=0)
        plot.legend(fontsize=6)
    for plot in axes.flat[len(problems):]:
        plot.axis("off")
    axes[0, 0].set_ylabel("steps")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hstar", default=str(here.parent.parent / "build/release/hstar"))
    parser.add_argument("--picture")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    reference = tomllib.loads((here / "ivp/reference.toml").read_text(encoding="utf-8"))
    failed, points = [], {}
    with tempfile.TemporaryDirectory() as folder:
        if not options.check:
            print("| problem | method | " + " | ".join("scd, steps at %g" % r for r in TOLERANCES) + " |")
            print("|---|---|" + "---|" * len(TOLERANCES))
        for problem, truth in reference.items():
            model = here / "ivp" / truth.get("model", problem + ".toml")
            tolerances = TOLERANCES[2:3] if options.check else TOLERANCES
            atol, states, table = truth["atol"], truth["states"], {}
            if model.suffix == ".py":
                function = importlib.import_module(model.stem)
                methods = ()
            else:
                constrained = "joint" in tomllib.loads(model.read_text(encoding="utf-8"))
                function = None if constrained else Formulas(model)
                methods = CONSTRAINED if constrained else METHODS
            for method, more in methods:
                for rtol in tolerances:
                    end, counters = run(options.hstar, model, method, rtol, atol * rtol, more, folder)
                    if end is not None:
                        table.setdefault(" ".join([method, *more.values()]), {})[rtol] = (digits(end, states), counters["steps"] + counters["rejected_steps"])
            if function is not None:
                if not options.check:
                    for code, rtol, found, steps in desolve_steps(function, states, tolerances, atol):
                        table.setdefault(code, {})[rtol] = (found, steps)
                if not options.check or not methods:
                    for rtol in tolerances:
                        for method, found, steps in function_steps(function, rtol, atol * rtol, states, "radau" if options.check else ""):
                            table.setdefault(method, {})[rtol] = (found, steps)
            for rtol, found, steps in truth.get("mebdfi", []):
                table.setdefault("MEBDFI", {})[rtol] = (found, steps)
            if options.check:
                for found, steps in [row[tolerances[0]] for method, row in table.items() if method.startswith("radau")]:
                    if not found > truth["digits"]:
                        failed.append("%s: radau has %.1f digits at rtol 1e-8, %g are asked for" % (problem, found, truth["digits"]))
                    if steps > 1.5 * truth.get("steps", math.inf):
                        failed.append("%s: radau takes %d steps, RADAU5 %d" % (problem, steps, truth["steps"]))
                continue
            points[problem] = {m: sorted(row.values()) for m, row in table.items()}
            for method, row in table.items():
                cells = ["%.1f, %d" % row[r] if r in row else "-" for r in TOLERANCES]
                print("| %s | %s | %s |" % (problem, method, " | ".join(cells)), flush=True)
        end, counters = run(options.hstar, here / "ivp/van_der_pol.toml", "radau", 1e-4, 1e-4, {"start": "-0.66"}, folder)
        print("Van der Pol from (2, -0.66) at rtol = atol = 1e-4: radau %d steps, %d rejected; RADAU5 %d of %d accepted" % (
            counters["steps"], counters["rejected_steps"], RADAU5["accepted"], RADAU5["steps"]))
        if counters["steps"] + counters["rejected_steps"] > 1.1 * RADAU5["steps"]:
            failed.append("more than 1.1 times the steps of RADAU5")
    if options.picture:
        picture(points, options.picture)
    for line in failed:
        print(line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
