"""What must hold: NumPy's arrays and numbers go wherever numbers go; a Solution is a mapping of its columns, with all
coordinates, velocities and forces in space too; it is pickled, copied, saved and loaded without a changed bit; a sweep is
the same table from this process, from processes and from any executor; every [simulation] key is an option; every method
of a Model says its keys."""

import copy
import math
import os
import pathlib
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import hstar

SOURCE = str(pathlib.Path(__file__).resolve().parents[2])
SLED = os.path.join(SOURCE, "validation/p02_sled_metal/model.toml")
BOX = os.path.join(SOURCE, "examples/23_thrown_box.toml")


def thrown():
    model = hstar.Model("thrown", gravity=np.array([0.0, -9.81])).simulation(end=np.float64(0.5), rtol=1e-9)
    return model.body("b", mass=np.float32(1.0), inertia=1, position=np.array([1.0, 2.0]), velocity=np.array([1, 0]))


def test_arrays_wherever_numbers_go():
    sol = thrown().run(set={"gravity": np.array([0.0, -1.0]), "body.b.mass": np.int64(2)})
    assert sol["b.y"][-1] == pytest.approx(2 - 0.5 * 0.25, abs=1e-12)
    assert thrown().to_toml() == thrown().to_toml() and "[1.0, 2.0]" in thrown().to_toml()


def test_a_solution_is_a_mapping():
    sol = thrown().run()
    assert "b.x" in sol and "nothing" not in sol and len(sol) == len(list(sol)) == len(sol.columns)
    assert list(sol.keys()) == sol.columns and sol.get("nothing") is None
    assert all(values is sol[name] or np.array_equal(values, sol[name]) for name, values in sol.items())
    with pytest.raises(KeyError, match="nothing called 'c.x'"):
        sol["c.x"]
    assert sol.units["b.vx"] == "m/s" and sol.options["rtol"] == "1e-09" and sol.model_text


def test_all_coordinates_in_space():
    sol = hstar.run(BOX, end=0.4)
    assert sol.q_names == [f"box.{c}" for c in ("x", "y", "z", "e0", "e1", "e2", "e3")]
    assert sol.v_names == [f"box.{c}" for c in ("vx", "vy", "vz", "wx", "wy", "wz")]
    assert sol.q.shape == (7, sol.t.size) and sol.v.shape == (6, sol.t.size)
    assert np.allclose(np.sum(sol.q[3:] ** 2, axis=0), 1)
    assert "floor.vertex1.fz" in sol.lam_names and sol.lam.shape[0] == len(sol.lam_names)
    # A free fall until the first corner strikes.
    flying = sol.t < sol.events[0]["t"]
    assert np.allclose(sol.v[2][flying], sol.v[2][0] - 9.81 * sol.t[flying])


def same(a, b):
    assert a.columns == b.columns and a._table.tobytes() == b._table.tobytes() and a.status == b.status and a.stats == b.stats
    assert a.options == b.options and a.parameters == b.parameters and a.extremes == b.extremes
    assert [(e["t"], e["kind"], e["element"], e["y_after"].tobytes()) for e in a.events] == \
           [(e["t"], e["kind"], e["element"], e["y_after"].tobytes()) for e in b.events]


def test_pickle_copy_save_load(tmp_path):
    sol = hstar.run(SLED, end=10)
    t = np.linspace(0, 10, 333)
    for twin in (pickle.loads(pickle.dumps(sol)), copy.deepcopy(sol), copy.copy(sol)):
        same(sol, twin)
        assert np.array_equal(sol(t), twin(t))
    sol.save(tmp_path / "run.h5")
    same(sol, hstar.load(tmp_path / "run.h5"))
    same(sol, hstar.load(tmp_path))
    with pytest.raises(ValueError, match="recorded rows only"):
        hstar.load(tmp_path)(1.0)


def test_a_process_hands_its_solution_back():
    with ProcessPoolExecutor(1) as pool:
        same(pool.submit(hstar.run, SLED, end=3).result(), hstar.run(SLED, end=3))


def test_sweep_is_the_same_table_from_everywhere():
    vary = {"mu_s": [0.35, 0.4, 0.45], "V": np.array([0.03, 0.034])}
    options = dict(collect=["events.count", "event.1.t", "end.sled.x", "max(sled.vx)"], frame=False, end=20, rtol=1e-9)
    here = hstar.sweep(SLED, vary, **options)
    assert [(row["mu_s"], row["V"]) for row in here] == [(m, v) for m in vary["mu_s"] for v in vary["V"]]
    for row in here:  # breaks loose where the spring carries mu_s m g
        assert row["event.1.t"] == pytest.approx(row["mu_s"] * 12.5 * 9.81 / (742.5 * row["V"]), rel=1e-8)
    assert hstar.sweep(SLED, vary, processes=2, **options) == here
    with ProcessPoolExecutor(1) as pool:
        assert hstar.sweep(SLED, vary, executor=pool, **options) == here


def test_a_model_of_a_file_to_which_more_is_added(tmp_path):
    # The file alone gives the same bits; parameters and options given here count, what is added refers to the file's names.
    model = hstar.Model.from_file(SLED)
    assert model.run(end=5)._table.tobytes() == hstar.run(SLED, end=5)._table.tobytes() and "model.toml" in repr(model)
    sol = hstar.Model.from_file(SLED, mu_s=0.45).simulation(end=5, rtol=1e-9).measure("twice", value="2*sled.x", unit="m").run()
    assert sol.parameters["mu_s"] == 0.45 and np.array_equal(sol["twice"], 2 * sol["sled.x"])
    assert sol.events[0]["t"] == pytest.approx(0.45 * 12.5 * 9.81 / (742.5 * 0.034), rel=1e-8)
    with pytest.raises(hstar.InputError, match="nosuch.toml"):
        hstar.Model.from_file(tmp_path / "nosuch.toml").run()


def test_tables_controllers_and_systems_in_code():
    # A force that rises from 0 to 2 N in 1 s on 1 kg: v = t^2.
    model = hstar.Model().simulation(end=1, rtol=1e-9).table("load", points=[[0, 0], [1, 2]]).body("b", mass=1)
    model.force("push", type="point_force", body="b", force=["load(t)", 0])
    assert model.run()["b.vx"][-1] == pytest.approx(1, rel=1e-8)
    # At its first sample, at 0.1 s, the controller takes kp (1 - 0), and holds it: x(0.2) = 4 0.1^2 / 2.
    held = hstar.Model().simulation(end=0.2, rtol=1e-9).body("b", mass=1)
    held.controller("drive", type="pid", setpoint="1", measurement="b.x", kp=4, every=0.1)
    held.force("push", type="point_force", body="b", force=["drive", 0])
    assert held.run()["b.x"][-1] == pytest.approx(0.02, rel=1e-8)
    # x'' + 4 x = 0 from x = 1: cos(2 t).
    swing = hstar.Model().simulation(end=1, rtol=1e-10).system(M=[[1]], K=[[4]], initial=[1])
    sol = swing.run()
    assert sol[sol.state_names[0]][-1] == pytest.approx(math.cos(2), abs=1e-8)


def test_what_a_model_cannot_have_is_a_row():
    rows = hstar.sweep(SLED, {"body.sled.mass": [-1.0, 12.5]}, frame=False, end=1)
    assert rows[0]["status"] == "input_error" and "mass" in rows[0]["message"]
    assert rows[1]["status"] == "reached_end" and rows[1]["end.t"] == 1


def test_dataframe():
    pandas = pytest.importorskip("pandas")
    sol = thrown().run()
    table = sol.to_dataframe()
    assert isinstance(table, pandas.DataFrame) and np.array_equal(table["b.x"], sol["b.x"]) and table.index.name == "t"
    assert sol.to_dataframe(11).shape == (11, len(sol.state_names))


def test_xarray():
    pytest.importorskip("xarray")
    assert thrown().run().to_xarray()["b.x"].attrs["units"] == "m"


def test_dask_cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.Client(n_workers=2, threads_per_worker=1) as client:
        rows = hstar.sweep(SLED, {"mu_s": [0.4, 0.45]}, executor=client.get_executor(), frame=False, end=5)
    assert rows == hstar.sweep(SLED, {"mu_s": [0.4, 0.45]}, frame=False, end=5)


def slowly(solution):
    import time

    time.sleep(0.3)
    return len(solution.events)


def test_dask_workers_that_die():
    # A worker is killed while it has members to compute: the table is that of a sweep without a cluster.
    import signal
    import threading

    distributed = pytest.importorskip("distributed")
    values = {"mu_s": [0.4 + 0.01 * k for k in range(12)]}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        first = next(iter(cluster.workers.values()))
        killed = first.pid
        timer = threading.Timer(1.0, os.kill, (killed, signal.SIGKILL))
        timer.start()
        rows = hstar.sweep(SLED, values, collect=["events.count", slowly], executor=client.get_executor(), frame=False, end=5)
        timer.join()
        assert first.pid != killed  # it was, and the cluster has another in its place
    assert rows == hstar.sweep(SLED, values, collect=["events.count", slowly], frame=False, end=5)


def test_errors_name_the_element_not_a_line_of_generated_text():
    with pytest.raises(hstar.InputError) as error:
        thrown().body("c", mas=1).run()
    assert str(error.value).startswith('body "c": unknown key "mas"') and '"mass"' in str(error.value)


def test_a_shape_gives_mass_and_inertia_at_this_door_too():
    """A disc of 2 kg that a moment of 1 N m turns for 1 s: omega = 1 / (m r^2 / 2); keys of other shapes are refused."""
    area = np.pi * 0.5**2
    model = hstar.Model().body("disc", shape="disc", radius=0.5, density=2 / area)
    sol = model.force("motor", type="torque", body="disc", torque=1).run(end=1)
    assert sol["disc.omega"][-1] == pytest.approx(1 / (2 * 0.25 / 2), rel=1e-9)
    with pytest.raises(hstar.InputError, match='body "disc": a disc has no sides; remove it'):
        hstar.Model().body("disc", shape="disc", radius=0.5, sides=[1, 1], density=1).run(end=1)


def test_every_simulation_key_is_an_option():
    sol = hstar.run(SLED, end=1, multiple_impact="sequential", rho_infinity=0.9, output="steps", max_order=4)
    assert sol.success and sol.options["output"] == "steps"
    with pytest.raises(TypeError, match="rho_infinity"):
        hstar.run(SLED, rho=1)


def test_methods_say_their_keys():
    for section, key in {"body": "mass [kg]", "joint": "friction", "contact": "restitution", "simulation": "rtol", "measure": "value"}.items():
        assert key in getattr(hstar.Model, section).__doc__
    assert "2 body" in repr(thrown().body("c", mass=1))


def test_typed_keys_are_those_of_the_key_table():
    from hstar.keys_text import keys_text

    with open(os.path.join(SOURCE, "src/python/hstar/keys.py")) as file:
        assert file.read() == keys_text(), "python3 -m hstar.keys_text > src/python/hstar/keys.py"
    import hstar.keys

    assert "mass" in hstar.keys.Body.__annotations__


def test_a_notebook_shows_the_report():
    assert hstar.run(SLED, end=1)._repr_html_().startswith("<iframe")


def test_compare_and_validate():
    rows = hstar.compare(SLED, integrators=["dopri5"], rtol=[1e-6, 1e-8], set={"simulation.end": 10})
    assert len({(r["integrator"], r["rtol"]) for r in rows}) == 2 and all(r["status"] == "reached_end" for r in rows)
    assert math.isfinite(rows[0]["end_error"])
    passed, text = hstar.validate("p02_sled_metal", folder=os.path.join(SOURCE, "validation"))
    assert passed and "p02_sled_metal" in text
