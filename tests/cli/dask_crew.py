#!/usr/bin/env python3
"""What must hold: a sweep whose members a Dask cluster computes writes the bytes of one thread, and goes on
where it stopped.

usage: dask_crew.py HSTAR MODEL
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from distributed import LocalCluster


def sweep(program, model, table, *more):
    return subprocess.run([program, "sweep", model, "--vary", "mu_static=0.26:0.6:6", "--vary", "k=20,40,60", "--collect",
                           "events.count,end.mass.x", "-o", str(table), *more], capture_output=True, text=True,
                          env={**os.environ, "HSTAR_PYTHON": sys.executable})


def main():
    program, model = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        one, many = (pathlib.Path(folder) / name for name in ("one.csv", "many.csv"))
        assert sweep(program, model, one, "--threads", "1").returncode == 0
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            crew = cluster.scheduler_address.replace("tcp://", "dask://")
            said = sweep(program, model, many, "--crew", crew)
            assert said.returncode == 0, said.stderr
            assert many.read_bytes() == one.read_bytes()
            # What is there is not computed again, and what is missing is.
            text = many.read_text()
            many.write_text(text[:2 * len(text) // 3])
            said = sweep(program, model, many, "--crew", crew)
            assert said.returncode == 0 and "of them were there" in said.stdout, said.stderr + said.stdout
            assert many.read_bytes() == one.read_bytes()


if __name__ == "__main__":
    main()
