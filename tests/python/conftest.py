"""Where the package is if nothing says so: the release build of this tree (`/usr/bin/python3 -m pytest tests/python`)."""

import importlib.util
import pathlib
import sys

if importlib.util.find_spec("hstar") is None:
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "build/release/python"))
