#!/usr/bin/env python3
"""validation/benchmarks/sweep.py: 10,000 drag sleds over (mu_static, pull speed).

    validation/benchmarks/sweep.py build/release/hstar [--side 100] [--rounds 3]

What must hold: the table has the same bytes from 1, 2 and 4 threads, from `mpirun -n 2`, and after kill -9 half-way
and going on; two threads are at least 1.8 times as fast as one. One and two threads are timed in turn and the best
round of each counts, since anything else that runs on the machine only adds. The processor time of both tells the rest:
what two threads need beyond one thread's is what they cost each other, and (processor time of one) / (half of that of
two) is the ratio on a machine that has nothing else to do. Exit code 1 if the bytes differ or both ratios are below 1.8.
"""

import argparse
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

MODEL = pathlib.Path(__file__).resolve().parents[2] / "examples/01_drag_sled.toml"


def command(program, side, file, *more):
    return [program, "sweep", str(MODEL), "--vary", f"mu_static=0.3:0.6:{side}", "--vary", f"pull=0.01:0.1:{side}",
            "--collect", "events.count", "--collect", "max(sled.vx)", "-o", file, *more]


def timed(words):
    """Wall and processor time [s], voluntary context switches."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return (wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_nvcsw - before.ru_nvcsw)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--side", type=int, default=100, help="members along each axis (default 100: 10,000 sleds)")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    program = os.path.abspath(given.program)
    good = True
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        best = {1: (float("inf"),) * 3, 2: (float("inf"),) * 3}
        for turn in range(given.rounds):
            for threads in (1, 2):
                t = timed(command(program, given.side, f"{threads}.csv", "--fresh", "--threads", str(threads)))
                print(f"round {turn + 1}, {threads} thread(s): {t[0]:.2f} s, processor time {t[1]:.2f} s, "
                      f"waited {t[2]} times, load {os.getloadavg()[0]:.1f}", flush=True)
                best[threads] = tuple(map(min, best[threads], t))
        wall, processor = best[1][0] / best[2][0], best[1][1] / (best[2][1] / 2)
        print(f"two threads against one: {wall:.2f} x in wall time, {processor:.2f} x by processor time")
        good = max(wall, processor) >= 1.8

        whole = pathlib.Path("1.csv").read_bytes()
        print(f"{whole.count(bytes([10]))} lines, {len(whole)} bytes")

        def same(name, what):
            nonlocal good
            equal = pathlib.Path(name).read_bytes() == whole
            print(f"{what}: {'the same bytes' if equal else 'OTHER BYTES'}", flush=True)
            good &= equal

        same("2.csv", "2 threads")
        timed(command(program, given.side, "4.csv", "--threads", "4"))
        same("4.csv", "4 threads")
        if shutil.which("mpirun"):
            ranks = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"]
            timed(ranks + command(program, given.side, "ranks.csv"))
            same("ranks.csv", "mpirun -n 2")
        else:
            print("mpirun -n 2: not tried, there is no mpirun")
        part = pathlib.Path("part.csv")
        run = subprocess.Popen(command(program, given.side, "part.csv", "--threads", "2"), stdout=subprocess.DEVNULL)
        while run.poll() is None and (not part.exists() or part.stat().st_size < len(whole) // 2):
            time.sleep(0.01)
        run.send_signal(signal.SIGKILL)
        run.wait()
        print(f"killed at {part.stat().st_size} of {len(whole)} bytes")
        timed(command(program, given.side, "part.csv", "--threads", "2"))
        same("part.csv", "and went on")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
