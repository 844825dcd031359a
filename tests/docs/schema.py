#!/usr/bin/env python3
"""tests/docs/schema.py: the published schema takes every model and refuses what the reader refuses.

    schema.py SOURCE HSTAR

What must hold: docs/model.schema.json is a valid JSON Schema; every model of examples/ and validation/ is valid by it, as
written and as `hstar info --json` prints it; damaged models are not valid, and the reader refuses the same ones.
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

import jsonschema

source, hstar = pathlib.Path(sys.argv[1]), sys.argv[2]
schema = json.loads((source / "docs/model.schema.json").read_text())
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
failed = []


def check(good, what):
    if not good:
        failed.append(what)
        print("BAD", what)


def errors(model):
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in validator.iter_errors(model)]


models = sorted((source / "examples").glob("*.toml")) + sorted((source / "validation").glob("*/model*.toml"))
for path in models:
    check(not errors(tomllib.loads(path.read_text())), f"{path}: {errors(tomllib.loads(path.read_text()))[:3]}")
for path in models[::4]:
    if "burridge" in path.name:
        continue
    printed = json.loads(subprocess.run([hstar, "info", "--json", path], capture_output=True, check=True).stdout)
    check(not errors(printed), f"{path} resolved: {errors(printed)[:3]}")
check(len(models) > 60, f"only {len(models)} models")

sled = (source / "examples/01_drag_sled.toml").read_text()
for old, new in [
    ("mass = 12.5", "mass = -1"), ("mass = 12.5", "masse = 12.5"), ("mass = 12.5", ""),
    ("mass = 12.5", 'shape = "disc"\nradius = 0.1'), ("mass = 12.5", 'mass = 1\nshape = "disc"\nradius = 0.1\ndensity = 1'), ("[simulation]", "[simulations]"),
    ('type     = "translational"', 'type = "sliding"'), ('type        = "spring_damper"', 'type = "torque"'),
    ("gravity = [0.0, -9.81]", "gravity = [0.0]"), ("end        = 60.0", ""), ("stiffness   = 742.5", "stiffness = true"),
    ('law = "coulomb"', 'law = "stribeck"'), ("rtol       = 1e-9", "rtol = 0.5"), ("[[body]]", "[body]"),
]:
    assert sled.count(old) == 1, old
    text = sled.replace(old, new)
    check(errors(tomllib.loads(text)), f"the schema takes {old} -> {new}")
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        code = subprocess.run([hstar, "info", file.name], capture_output=True).returncode
    check(code == 2, f"the reader takes {old} -> {new}")
print(f"{len(models)} models, {len(failed)} failures")
sys.exit(1 if failed else 0)
