"""What must hold: docs/names.md is what `hstar list --markdown` prints, and what runs record has no other words: every
kind of event and every column of examples/ (with its unit, 1 for none) is one of the list, or a word of the model's own.
usage: names.py SOURCE HSTAR"""

import csv
import pathlib
import re
import subprocess
import sys
import tempfile

source, hstar = pathlib.Path(sys.argv[1]), sys.argv[2]
page = (source / "docs/names.md").read_text()
printed = subprocess.run([hstar, "list", "--markdown"], capture_output=True, text=True, check=True).stdout
if page != printed:
    sys.exit("docs/names.md is not what `hstar list --markdown` prints; write it anew")


def entries(title):
    section = page.split(f"\n## {title}")[1].split("\n## ")[0]
    return re.findall(r"^\| `(.*?)` \| (.*) \|$", section, re.M)


kinds = {name for name, _ in entries("Kinds of events")}
columns = set()
for name, about in entries("Columns of bodies") + entries("Columns that formulas ask for") + entries("Columns of joints"):
    unit = re.search(r"\[(.*)\]", about)
    for one in unit[1].split(" or ") if unit and not name.startswith("drift") else [unit[1] if unit else "1"]:
        columns.add((name, one))
wrong, seen = [], set()
with tempfile.TemporaryDirectory() as folder:
    for model in [*sorted((source / "examples").glob("*.toml")), source / "validation/p13_slider_crank/model.toml",
                  source / "validation/chrono_adams_joint_pendula/model.toml"]:
        text = model.read_text()
        subprocess.run([hstar, "run", model, "--all-events", "--quiet", "--no-report", "-o", folder, "--set", "simulation.stop_after_events=30"],
                       stdout=subprocess.DEVNULL, check=True)
        for row in csv.DictReader(line for line in open(f"{folder}/events.csv") if not line.startswith("#")):
            seen.add(row["kind"])
            if row["kind"] not in kinds and row["kind"] not in text:
                wrong.append(f"{model.name}: kind {row['kind']}")
        units = next(line for line in open(f"{folder}/trajectory.csv") if line.startswith("# units: "))[9:].strip()
        for name, unit in re.findall(r"([^\s,]+)(?: \[([^\]]*)\])?(?:, |$)", units):
            own = name == "t" or "." not in name and name != "energy"
            word = name if name == "energy" or name.startswith("drift.") else name.rsplit(".", 1)[-1]
            if not own and (word, unit) not in columns:
                wrong.append(f"{model.name}: column {name} [{unit}]")
print("\n".join(wrong) or f"{len(kinds)} kinds, {len(columns)} columns; seen: {', '.join(sorted(seen))}")
sys.exit(1 if wrong or not {"stick", "impact", "zeno"} <= seen else 0)
