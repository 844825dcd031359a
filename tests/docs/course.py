#!/usr/bin/env python3
"""tests/docs/course.py SOURCE HSTAR: the numbers that docs/course.md promises come out.

What must hold: each command here stands in docs/course.md with the words given here beside it, and what it prints and writes
has the number that these words say. (That every other command of the page runs is checked by commands.py.)
"""
import csv
import json
import math
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

source, hstar = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
page = (source / "docs/course.md").read_text(encoding="utf-8")


class Done:
    """What a command has printed and written."""

    def __init__(self, command, folder):
        words = [str(source / word) if word.endswith(".toml") else word for word in shlex.split(command)]
        if words[1] == "run":
            words += ["-o", folder]
        said = subprocess.run([hstar, *words[1:]], cwd=folder, capture_output=True, text=True, timeout=300)
        self.code, self.text, self.folder = said.returncode, said.stdout + said.stderr, pathlib.Path(folder)

    def table(self, name):
        lines = [line for line in (self.folder / name).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        return list(csv.DictReader(lines))

    def summary(self):
        return json.loads((self.folder / "summary.json").read_text(encoding="utf-8"))

    def state(self, name):
        return float(self.table("trajectory.csv")[-1][name])

    def row_at(self, t):
        return {name: float(x) for name, x in min(self.table("trajectory.csv"), key=lambda r: abs(float(r["t"]) - t)).items()}

    def kinds(self, kind):
        return [e for e in self.table("events.csv") if e["kind"] == kind]

    def orders(self):
        return [float(x) for x in re.findall(r"errors fall with h\^([\d.]+)", self.text)]


def close(found, wanted, within):
    return len(found) == len(wanted) and all(abs(a - b) <= within for a, b in zip(found, wanted))


PENDULUM = "hstar compare validation/me451_forced_pendulum/model.toml --formulation index3 --integrator newmark --step 0.01,0.005"
CHECKS = [
    ("hstar run examples/01_drag_sled.toml --integrator ode23 --rtol 1e-3", "81 stick and slip events",
     lambda d: len(d.table("events.csv")) == 81),
    ("hstar run examples/04_bouncing_ball.toml --integrator ode23 --rtol 1e-3", "their limit at 4.0637 s",
     lambda d: abs(float(d.kinds("zeno")[0]["t"]) - 4.0637) < 5e-5),
    ("hstar run validation/ode23/viscous.toml", "483 steps", lambda d: d.summary()["counters"]["steps"] == 483),
    ("hstar inspect docs/course/web_cutter_dynamics.toml", "one independent coordinate",
     lambda d: len(re.search(r"independent: (.*)", d.text)[1].split(",")) == 1),
    (PENDULUM + ",0.0025 --set simulation.end=1", "order 1", lambda d: close(d.orders(), [1], 0.1)),
    (PENDULUM + " --set simulation.end=1 --set simulation.newmark_gamma=0.5 --set simulation.newmark_beta=0.25", "order 2",
     lambda d: close(d.orders(), [2], 0.1)),
    ("hstar compare docs/course/finite_elements.toml --integrator newmark,hht --step 0.02,0.01,0.005", "orders 1 and 2",
     lambda d: close(d.orders(), [1, 2], 0.2)),
    ("hstar run validation/me451_forced_pendulum/model.toml --set simulation.output=5", "phi(5) - 3 pi/2 = 0.035494021905",
     lambda d: abs(d.row_at(5)["bar.angle"] - 1.5 * math.pi - 0.035494021905) < 1e-11),
    ("hstar run validation/me451_forced_pendulum/model.toml --integrator ode23 --rtol 1e-6 --set simulation.end=40 --set simulation.output=5", "the same",
     lambda d: abs(d.row_at(5)["bar.angle"] - 1.5 * math.pi - 0.035494) < 1e-4),
    ("hstar method ode23", "stable to |z| = 2.5127 on the real axis", lambda d: "2.5127" in d.text),
    ("hstar method dopri5", "3.3066", lambda d: "3.3066" in d.text),
    ("hstar method bdf --svg bdf4.svg --max-order 4", "90 90 86 73 52 18 degrees",
     lambda d: close([float(x) for x in re.findall(r"alpha = ([\d.]+) degrees", d.text)], [90, 90, 86, 73, 52, 18], 0.5)),
    ("hstar run docs/course/decay.toml --integrator forward_euler --set simulation.fixed_step=0.019", "stable; diverged beyond 0.02",
     lambda d: d.code == 0 and abs(d.state("y")) < 1),
    ("hstar compare docs/course/decay.toml --exact 'y=exp(-100*t)' --step 0.001,0.0005,0.00025 --set simulation.end=0.02 "
     "--integrator forward_euler,backward_euler,trapezoidal,rk4", "orders 1 1 2 4",
     lambda d: close(sorted(d.orders()), [1, 1, 2, 4], 0.15)),
    ("hstar run docs/course/stiff_decay.toml --set simulation.max_order=6", "primed without growing",
     lambda d: max(abs(float(r["y"])) for r in d.table("trajectory.csv")) <= 1),
    ("hstar run docs/course/functional_iteration.toml --set parameters.lambda=-4", "converges; not for -5",
     lambda d: d.code == 0 and Done("hstar run docs/course/functional_iteration.toml --set parameters.lambda=-5", d.folder).code == 1),
    ("hstar run docs/course/dp2_driver.toml", "at 0.5 s v = 1.75, a = 3",
     lambda d: close([d.row_at(0.5)[c] for c in ("b.x", "b.vx")], [1.625, 1.75], 1e-12)),
    ("hstar assemble docs/course/newton_two_unknowns.toml", "x = 1.00416464138, y = -5.48112510914",
     lambda d: "1.00416464138" in d.text and "-5.48112510914" in d.text),
]


def main():
    failed = 0
    for command, words, holds in CHECKS:
        beside = [line for line in page.splitlines() if re.match(re.escape(command) + r"\s*#", line)]
        with tempfile.TemporaryDirectory() as folder:
            if not any(words in line for line in beside):
                why = "the page does not have it with \"%s\"" % words
            elif not holds(done := Done(command, folder)):
                why = "not %s:\n%s" % (words, done.text[-2000:])
            else:
                continue
        failed += 1
        print("BAD %s: %s" % (command, why))
    print("%d numbers, %d wrong" % (len(CHECKS), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
