"""What must hold: docs/ended-early.md has every status that `hstar list` names, in its order and with its line, and no
other.  usage: statuses.py PAGE HSTAR"""

import pathlib
import re
import subprocess
import sys

page = pathlib.Path(sys.argv[1]).read_text()
listed = subprocess.run([sys.argv[2], "list"], capture_output=True, text=True, check=True).stdout
section = listed.split("how a run ends")[1].split("\n\n")[0].splitlines()[1:]
known = [tuple(line.split(None, 1)) for line in section]
told = re.findall(r"^## `(\w+)`\n\n(.*)\.$", page, re.M)
wanted = [(name, about[0].upper() + about[1:]) for name, about in known]
if told != wanted:
    sys.exit(f"{sys.argv[1]} and `hstar list` differ: {sorted(set(told) ^ set(wanted)) or 'in order'}")
print(f"{len(told)} statuses")
