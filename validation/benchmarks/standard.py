#!/usr/bin/python3
"""Work and precision of ten standard problems: hstar, loops written by hand on Odeint and IDA, SciPy by hand.

usage: validation/benchmarks/standard.py [build/bench/validation/benchmarks/bench_standard]

Runs bench_standard (standard.cpp), then SciPy (Debian: python3-scipy) on the same formulas, compiled from the model files, judges all by the
closed forms and the published digits of ivp/reference.toml, and writes docs/work_precision.svg and the table of docs/performance.md.
Errors: of events the largest |dt| [s], of stiff problems the largest relative one at the end, of others the largest absolute one.
"""
import csv
import math
import pathlib
import re
import subprocess
import sys
import time
import tomllib

here = pathlib.Path(__file__).resolve().parent
docs = here.parent.parent / "docs"
STIFF = ("van_der_pol", "robertson", "oregonator", "hires")
TITLES = {"coulomb_oscillator": "Coulomb oscillator, 16 events", "drag_sled": "drag sled, 81 events", "pendulum": "pendulum",
          "kepler": "Kepler, e = 0.5", "arenstorf": "Arenstorf's orbit", "rigid_body": "Euler's rigid body",
          "van_der_pol": "Van der Pol, 1e-6", "robertson": "Robertson", "oregonator": "Oregonator", "hires": "HIRES"}
ERRORS = (1e-4, 1e-8, 1e-12)


def load(path):
    return tomllib.loads(path.read_text(encoding="utf-8"))


def truths():
    """What each problem ends with, or its event times, to more digits than any method has."""
    import mpmath
    mpmath.mp.dps = 30
    k = mpmath.sin(mpmath.pi / 4)
    w = mpmath.sqrt(mpmath.mpf("9.81"))
    u = mpmath.ellipk(k**2) - 10 * w
    sn, cn = mpmath.ellipfun("sn", u, m=k**2), mpmath.ellipfun("cn", u, m=k**2)
    all_of = {"pendulum": [2 * mpmath.asin(k * sn), -2 * k * w * cn],
              "kepler": [0.5, 0, 0, mpmath.sqrt(3)],
              "arenstorf": [0.994, 0, 0, mpmath.mpf("-2.00158510637908252240537862224")],
              "rigid_body": [mpmath.ellipfun(f, 60, m=mpmath.mpf("0.51")) for f in ("sn", "cn", "dn")],
              "coulomb_oscillator": [n * mpmath.pi / 5 for n in range(1, 17)],
              "drag_sled": sled_events()}
    reference = load(here / "ivp/reference.toml")
    for problem in STIFF:
        all_of[problem] = list(reference[problem]["states"].values())
    return {name: [float(x) for x in values] for name, values in all_of.items()}, reference


def sled_events():
    """Closed form: it breaks away when the spring pulls with mu_s m g, slides until its speed is zero, sticks, and so on."""
    import mpmath
    m, g, k, V, mu_s, mu_d = (mpmath.mpf(x) for x in ("12.5", "9.81", "742.5", "0.034", "0.4", "0.3"))
    w = mpmath.sqrt(k / m)
    # With the spring's length s = V t - x: s'' = -w^2 s + mu_d g while it slides, from s = mu_s m g/k, s' = V.
    above, times, t = (mu_s - mu_d) * m * g / k, [], mu_s * m * g / k / V
    while t < 60:
        times.append(t)
        # s' = V again: -above w sin + V cos = V
        slide = (2 * mpmath.pi - 2 * mpmath.atan(above * w / V)) / w
        if t + slide >= 60:
            break
        times.append(t + slide)
        t += slide + 2 * above / V  # s has fallen by twice as much
    return times


def error(problem, found, truth):
    if len(found) != len(truth):
        return math.inf
    return max(abs(a - b) / (abs(b) if problem in STIFF else 1) for a, b in zip(found, truth))


def formulas(model):
    """Rates of the model's states as a Python function, its start and its end."""
    states = model["state"]
    names = [s["name"] for s in states]
    constants = {"pi": math.pi, "sqrt": math.sqrt, "sin": math.sin}

    def value(x):
        return eval(x, {**constants, **model.get("parameters", {})}) if isinstance(x, str) else float(x)

    rates = ", ".join(s["rate"].replace("^", "**") for s in states)
    scope = dict(constants)
    exec("def rates(t, y):\n  %s = y\n  return (%s)" % (", ".join(names), rates), scope)
    return scope["rates"], [value(s.get("initial", 0)) for s in states], value(model["simulation"]["end"])


def scipy_smooth(path, atol):
    rates, start, end = formulas(load(path))

    def run(method, tolerance):
        from scipy.integrate import solve_ivp
        solution = solve_ivp(rates, (0, end), start, method=method, rtol=tolerance, atol=atol * tolerance)
        return list(solution.y[:, -1]) if solution.success else None
    return run


def scipy_events(problem):
    """The loop over modes by hand, as one writes it on solve_ivp with a terminal event."""
    from scipy.integrate import solve_ivp
    k, m, mu, g = (50, 2, 0.08, 9.81) if problem == "coulomb_oscillator" else (742.5, 12.5, 0.3, 9.81)
    V, mu_s = 0.034, 0.4

    def part(method, tolerance, rates, guard, t, y, end):
        guard.terminal, guard.direction = True, -1
        s = solve_ivp(rates, (t, end), y, method=method, rtol=tolerance, atol=tolerance, events=guard)
        return (s.t_events[0][0], list(s.y_events[0][0])) if len(s.t_events[0]) else (None, None)

    def oscillator(method, tolerance):
        t, y, side, times = 0.0, [1.0, 0.0], -1, []
        while True:
            t, y = part(method, tolerance, lambda t, y: (y[1], -k / m * y[0] - side * mu * g), lambda t, y: side * y[1] if t > 0 else 1.0, t, y, 10.1)
            if t is None:
                return times
            times.append(t)
            y[1] = 0.0
            if k * abs(y[0]) <= mu * m * g:
                return times
            side = -1 if y[0] > 0 else 1
            y[1] = side * 1e-300  # the event of this instant is over

    def sled(method, tolerance):
        t, y, times = 0.0, [0.0, 0.0], []
        while True:
            t, y = part(method, tolerance, lambda t, y: (0.0, 0.0), lambda t, y: mu_s * m * g - k * (V * t - y[0]), t, y, 60)
            if t is None:
                return times
            times.append(t)
            t, y = part(method, tolerance, lambda t, y: (y[1], k / m * (V * t - y[0]) - mu * g), lambda t, y: y[1], t, y, 60)
            if t is None:
                return times
            times.append(t)
            y[1] = 0.0
    return oscillator if problem == "coulomb_oscillator" else sled


def scipy_points(problem, reference):
    atol = reference[problem]["atol"] if problem in STIFF else 1
    if problem in ("coulomb_oscillator", "drag_sled"):
        run, methods = scipy_events(problem), ("DOP853", "RK45", "LSODA")
    else:
        path = here / ("ivp" if problem in STIFF else "standard") / (problem + ".toml")
        run, methods = scipy_smooth(path, atol), ("Radau", "BDF", "LSODA") if problem in STIFF else ("DOP853", "RK45", "LSODA")
    for method in methods:
        for digit in range(3, 15):
            least, spent, found = math.inf, 0.0, None
            while spent < 0.1:
                begin = time.process_time()
                found = run(method, 10.0**-digit)
                took = time.process_time() - begin
                least, spent = min(least, took), spent + took
            if found is not None:
                yield "SciPy " + method, 10.0**-digit, least, found
            if least > 5:
                break


def at_error(points, wanted):
    """Time at an error, logarithms interpolated between the last point that misses it and the next, from which on all keep it."""
    first = len(points)
    while first > 0 and points[first - 1][1] <= wanted:
        first -= 1
    if first == len(points):
        return math.nan
    if first == 0 or not math.isfinite(points[first - 1][1]) or points[first][1] == 0:
        return points[first][2]
    (_, bad, t_bad), (_, good, t_good) = points[first - 1], points[first]
    part = math.log(wanted / good) / math.log(bad / good)
    return math.exp(math.log(t_good) + part * math.log(t_bad / t_good))


def picture(lines, path):
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    matplotlib.rcParams.update({"svg.hashsalt": "hstar", "font.size": 7})
    figure, axes = pyplot.subplots(2, 5, figsize=(15, 7.5))
    style = {"hstar": "-", "Odeint": "--", "IDA": "-.", "SciPy": ":"}
    methods = list(dict.fromkeys(method for problem in TITLES for method in lines[problem]))
    whose = {who: [m for m in methods if m.split()[0] == who] for who in style}
    colour = {m: "black" if m == "IDA" else f"C{i}" for group in whose.values() for i, m in enumerate(group)}  # a method looks the same everywhere
    drawn = {}
    for plot, (problem, title) in zip(axes.flat, TITLES.items()):
        for method, points in lines[problem].items():
            shown = [(t, max(e, 1e-16)) for _, e, t in points if math.isfinite(e)]
            drawn[method], = plot.loglog([p[0] for p in shown], [p[1] for p in shown], style[method.split()[0]], color=colour[method],
                                         marker=".", markersize=3, linewidth=1)
        plot.set_title(title)
        plot.set_xlabel("seconds")
        plot.set_ylim(1e-17, 10)
    axes[0, 0].set_ylabel("error")
    axes[1, 0].set_ylabel("error")
    shown = [m for group in whose.values() for m in group]
    figure.legend([drawn[m] for m in shown], shown, loc="lower center", ncol=9)
    figure.tight_layout(rect=(0, 0.06, 1, 1))
    figure.savefig(path, metadata={"Date": None})


def short(seconds):
    return "-" if math.isnan(seconds) else "%.2g" % (1e6 * seconds) if seconds < 1e-4 else "%.0f" % (1e6 * seconds)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(here.parent.parent / "build/bench/validation/benchmarks/bench_standard")
    truth, reference = truths()
    lines = {problem: {} for problem in TITLES}
    said = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    for row in csv.reader(said.splitlines()):
        problem, method, tolerance, seconds, *found = row
        e = error(problem, [float(x) for x in found], truth[problem])
        lines[problem].setdefault(method, []).append((float(tolerance), e, float(seconds)))
    for problem in TITLES:
        for method, tolerance, seconds, found in scipy_points(problem, reference):
            lines[problem].setdefault(method, []).append((tolerance, error(problem, found, truth[problem]), seconds))
        print(problem, flush=True)
    picture(lines, docs / "work_precision.svg")
    table = ["| problem | method | us at 1e-4 | at 1e-8 | at 1e-12 | best error |", "|---|---|---|---|---|---|"]
    for problem, title in TITLES.items():
        for method, points in lines[problem].items():
            table.append("| %s | %s | %s | %.1e |" % (title, method, " | ".join(short(at_error(points, e)) for e in ERRORS), min(p[1] for p in points)))
    page = docs / "performance.md"
    text = page.read_text()
    page.write_text(re.sub(r"(<!-- table -->\n).*?(<!-- end -->)", lambda m: m[1] + "\n".join(table) + "\n" + m[2], text, flags=re.S))


if __name__ == "__main__":
    main()
