#!/usr/bin/env python3
"""tests/docs/tutorial.py SOURCE BUILD [--write]: the tutorial and the cookbook do what they say.

What must hold: every command and every Python block of docs/tutorial.md and docs/cookbook.md ends with exit code 0; each line of a ```text
block stands in what the block before it printed (blanks aside; "..." is anything on the line); and each picture
docs/tutorial/NAME has the words and ticks of the one that the commands make, out/NAME.svg or out/NAME/plot.svg. (Not its
bytes: a better step moves the last digit of a curve.) A picture that shows times on the clock, or that Matplotlib draws,
only has to be there. With --write the pictures are written instead, that of the report in Chromium.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from commands import blocks

VARYING = {"compare", "fit", "report"}  # measured times; drawn by Matplotlib; drawn by the browser


def squeezed(text):
    return re.sub(r"\s+", " ", text).strip()


def run_page(text, environment):
    """Runs the blocks of the page in their order; complaints."""
    printed = []
    for language, body, after in blocks(text):
        if language == "toml":
            pathlib.Path(re.match(r"\s*Save it as `([^`]+)`", after)[1]).write_text(body)
        elif language in ("sh", "python"):
            words = ["bash", "-ec", body] if language == "sh" else [environment["TUTORIAL_PYTHON"], "-c", body]
            run = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120)
            printed = [squeezed(line) for line in (run.stdout + run.stderr).splitlines()]
            if run.returncode != 0:
                yield f"exit code {run.returncode} of\n{body}{run.stdout[-500:]}{run.stderr[-2000:]}"
        elif language == "text":
            for line in body.splitlines():
                wanted = ".*".join(map(re.escape, squeezed(line).split("...")))
                if not any(re.search(wanted, told) for told in printed):
                    yield f"not printed: {line}"


def labels(svg):
    return re.findall(r"<text[^>]*>([^<]*)<", svg)


def made(name):
    return next((p for p in (pathlib.Path(f"out/{name}.svg"), pathlib.Path(f"out/{name}/plot.svg")) if p.exists()), None)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--write", action="store_true", help="write the pictures")
    given = parser.parse_args()
    source, build = given.source.resolve(), given.build.resolve()
    environment = dict(os.environ, PATH=f"{build}:{os.environ['PATH']}", MPLBACKEND="Agg", PYTHONDONTWRITEBYTECODE="1",
                       PYTHONPATH=str(build / "python"), TUTORIAL_PYTHON=given.python)
    text = (source / "docs/tutorial.md").read_text()
    pictures = re.findall(r"!\[[^\]]+\]\((tutorial/(\w+)\.(\w+))\)", text)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        wrong = list(run_page(text, environment))
        with tempfile.TemporaryDirectory() as kitchen:
            os.chdir(kitchen)
            wrong += run_page((source / "docs/cookbook.md").read_text(), environment)
        os.chdir(folder)
        for path, name, kind in pictures:
            stored = source / "docs" / path
            if kind == "png":
                page = pathlib.Path(f"out/{name}/comparison.html").resolve()
                if given.write:
                    subprocess.run(["node", source / "tests/report/screenshot.mjs", build / "report", page, "#t=6.98", stored], check=True)
                elif not page.exists() or not stored.exists():
                    wrong.append(f"{path} is missing, or its page")
            elif (new := made(name)) is None:
                wrong.append(f"no command makes {path}")
            elif given.write:
                stored.write_bytes(new.read_bytes())
            elif not stored.exists() or (name not in VARYING and labels(stored.read_text()) != labels(new.read_text())):
                wrong.append(f"{path} is not what its command makes; scripts/tutorial writes it")
    for stored in (source / "docs/tutorial").iterdir():
        if f"tutorial/{stored.name}" not in text:
            wrong.append(f"docs/tutorial/{stored.name} is on no page")
    print("\n".join(wrong) or f"{len(pictures)} pictures, all as told")
    sys.exit(1 if wrong or len(pictures) != 8 else 0)


if __name__ == "__main__":
    main()
