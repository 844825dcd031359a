#!/usr/bin/env bash
# What must hold: a wheel of what is built here is below 20 MB, and in an environment of its own its command and its
# module run, found by nothing but the installation.  usage: wheel.sh PYTHON BUILD
set -euo pipefail
python=$1
build=$2
cd "$(dirname "$0")/../.."
work=$build/wheel_test
rm -rf "$work"
HSTAR_BUILD=$build "$python" -m pip -q wheel --no-build-isolation --no-deps --no-index -w "$work" .
[ "$(stat -c %s "$work"/hstar-*.whl)" -lt 20000000 ]
"$python" -m venv --system-site-packages "$work/env"
"$work/env/bin/python" -m pip -q install --no-deps --no-index "$work"/hstar-*.whl
cd "$work"
env -i "$work/env/bin/hstar" demo >demo.txt
grep -q '81 events' demo.txt
env -i "$work/env/bin/python" -c "
import pathlib, hstar
assert pathlib.Path('$work/env') in pathlib.Path(hstar.__file__).parents
decay = hstar.solve_ivp(lambda t, y: [-y[0]], (0, 1), [1.0], rtol=1e-10, atol=1e-12)
assert abs(decay.y[0][-1] - 0.36787944117144233) < 1e-9"
