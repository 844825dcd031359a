#!/usr/bin/env python3
"""Problems of the Test Set for IVP Solvers (ivp/): correct digits beside the steps that they cost.

usage: validation/benchmarks/ivp_test_set.py [--hstar FILE] [--picture FILE.svg] [--check]

scd is the number of significant correct digits of the test set: -log10 of the largest relative error at the end, against the
published digits of ivp/reference.toml. atol is rtol times the number given there. Where SciPy is installed its Radau and BDF,
other implementations of the same formulas, stand beside them. --check (a test): radau has the digits of the reference, at
most 1.1 times the steps of RADAU5 on Van der Pol's equation, and on the others at most twice those that SciPy's Radau, which was
written after RADAU5, takes to as many digits (`steps` of the reference).
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import tomllib

here = pathlib.Path(__file__).resolve().parent
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
    worst = max(abs(end[name] / value - 1) for name, value in states.items())
    return -math.log10(worst) if worst > 0 else 16.0


def scipy_steps(model, rtol, atol, states):
    """(method, digits, accepted steps) of SciPy on the same formulas."""
    try:
        from scipy.integrate import solve_ivp
    except ImportError:
        return
    text = tomllib.loads(model.read_text(encoding="utf-8"))
    names = [s["name"] for s in text["state"]]
    value = lambda x: float(eval(str(x), dict(text.get("parameters", {}))))
    start = [value(s.get("initial", 0)) for s in text["state"]]
    rates = compile("[" + ",".join(s["rate"].replace("^", "**") for s in text["state"]) + "]", str(model), "eval")
    for method in ("Radau", "BDF"):
        solution = solve_ivp(lambda t, y: eval(rates, {**vars(math), **dict(zip(names, y)), "t": t}), (0, text["simulation"]["end"]), start,
                             method=method, rtol=max(rtol, 1e-13), atol=atol)
        if solution.success:
            yield "SciPy " + method, digits(dict(zip(names, solution.y[:, -1])), states), len(solution.t) - 1


def picture(points, path):
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    matplotlib.rcParams.update({"svg.hashsalt": "hstar", "font.size": 8})
    problems = list(points)
    figure, axes = pyplot.subplots(2, math.ceil(len(problems) / 2), figsize=(11, 5.5))
    for plot, problem in zip(axes.flat, problems):
        for method, line in points[problem].items():
            plot.plot([p[0] for p in line], [p[1] for p in line], "--" if "SciPy" in method else "-", marker=".", label=method)
        plot.set_title(problem.replace("_", " "))
        plot.set_yscale("log")
        plot.set_xlabel("correct digits")
        plot.legend(fontsize=6)
    for plot in axes.flat[len(problems):]:
        plot.axis("off")
    axes[0, 0].set_ylabel("accepted steps")
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
            model = here / "ivp" / (problem + ".toml")
            constrained = "joint" in tomllib.loads(model.read_text(encoding="utf-8"))
            table = {}
            for method, more in CONSTRAINED if constrained else METHODS:
                for rtol in TOLERANCES[2:3] if options.check else TOLERANCES:
                    end, counters = run(options.hstar, model, method, rtol, truth["atol"] * rtol, more, folder)
                    if end is None:
                        continue
                    found = digits(end, truth["states"])
                    table.setdefault(" ".join([method, *more.values()]), {})[rtol] = (found, counters["steps"])
                    if options.check and method == "radau" and not found > truth["digits"]:
                        failed.append("%s: radau has %.1f digits at rtol 1e-8, %g are asked for" % (problem, found, truth["digits"]))
                    if options.check and method == "radau" and counters["steps"] > 2 * truth.get("steps", math.inf):
                        failed.append("%s: radau takes %d steps, more than twice %d" % (problem, counters["steps"], truth["steps"]))
            if not constrained and not options.check:
                for rtol in TOLERANCES:
                    for method, found, steps in scipy_steps(model, rtol, truth["atol"] * rtol, truth["states"]):
                        table.setdefault(method, {})[rtol] = (found, steps)
            points[problem] = {m: sorted(row.values()) for m, row in table.items()}
            if not options.check:
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
