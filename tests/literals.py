"""What must hold: what counts as zero in these folders stands in their tolerances.hpp, with a name and a reason; their
sources and headers have no small numbers of their own.  usage: literals.py SOURCE"""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
folders = ["math", "contact", "formulation", "analysis/statics", "transition"]
number = re.compile(r"(?<![\w.])[\d.]+e-\d+|0x[\da-f.]+p-\d+|"
                    r"\b\d+ ?\* ?(?:eps|u|std::numeric_limits<double>::epsilon\(\))(?!\w)", re.I)
wrong = []
for folder in folders:
    for path in sorted((source / "src" / folder).rglob("*.[ch]pp")):
        if path.name == "tolerances.hpp":
            continue
        for count, line in enumerate(path.read_text().splitlines(), 1):
            code = re.sub(r'"[^"]*"', '""', line).split("//")[0]
            for found in number.findall(code):
                wrong.append(f"{path.relative_to(source)}:{count}: {found}: give it a name and a reason in "
                             f"src/{folder}/tolerances.hpp")
print("\n".join(wrong) or f"{' '.join(folders)}: none")
sys.exit(1 if wrong else 0)
