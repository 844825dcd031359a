"""What must hold: a file of src/ includes its own folder and those that docs/developing.md says it may know, and nothing
points back; the libraries that the page gives a home are included nowhere else; events/ knows nothing but itself and
the standard library; no public header includes what programs of others do not have.  usage: layers.py SOURCE"""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
page = (source / "docs/developing.md").read_text()
folders = re.findall(r"^\| `(\w+)` \| [^|]*\|([^|]*)\|$", page.split("## Map")[1].split("\n## ")[0], re.M)
knows = {name: set(re.findall(r"`(\w+)`", row)) for name, row in folders}
homes = {"ida/": r"integrator/ida\w*\.\w+", "sundials/": r"integrator/ida\w*\.\w+", "nvector/": r"integrator/ida\w*\.\w+",
         "boost/numeric/odeint": r"integrator/odeint_\w+\.cpp", "klu.h": r"integrator/sparse_lu\.cpp",
         "toml++": r"model/\w+\.\w+", "hdf5": r"record/hdf5\w*\.\w+", "CLI/": r"cli/\w+\.\w+", "mpi.h": r"cli/mpi_crew\.cpp",
         "pybind11/": r"python/\w+\.\w+"}
wrong = []


def includes(path):
    for line in path.read_text().splitlines():
        if found := re.match(r'\s*#\s*include\s+[<"]([^>"]+)[>"]', line):
            yield found[1]


order = list(knows)
for name, known in knows.items():
    for other in known:
        if order.index(other) >= order.index(name):
            wrong.append(f"docs/developing.md: {name} knows {other}, which stands below it")
for path in sorted((source / "src").rglob("*.[ch]pp")):
    inside = path.relative_to(source / "src")
    folder = inside.parts[0]
    if len(inside.parts) == 1:
        continue
    for name in includes(path):
        first = name.split("/")[0]
        if first in knows and first != folder and first not in knows.get(folder, set()):
            wrong.append(f"src/{inside} includes {name}: {folder} may know {', '.join(sorted(knows[folder])) or 'no folder'}")
        for library, home in homes.items():
            if name.startswith(library) and not re.fullmatch(home, str(inside)):
                wrong.append(f"src/{inside} includes {name}: its home is {home}")
for path in sorted((source / "events").rglob("*.[ch]pp")):
    for name in includes(path):
        if "/" in name and not name.startswith("hstar/events/"):
            wrong.append(f"{path.relative_to(source)} includes {name}: events knows no mechanics")
for path in sorted((source / "include").rglob("*.hpp")):
    for name in includes(path):
        if "/" in name and not name.startswith("hstar/"):
            wrong.append(f"{path.relative_to(source)} includes {name}: programs of others need not have it")
if missing := {p.name for p in (source / "src").iterdir() if p.is_dir()} - set(knows):
    wrong.append(f"the map of docs/developing.md leaves out {', '.join(sorted(missing))}")
print("\n".join(wrong) or f"{len(knows)} folders, {sum(map(len, knows.values()))} arrows")
sys.exit(1 if wrong else 0)
