#!/usr/bin/env python3
"""tests/docs/commands.py: every command that README, the docs and --help print does what it says.

    commands.py SOURCE BUILD [--python PYTHON] [--list]

What must hold: each line of a ```sh block, each ```python block and each `hstar ...` in running text of README.md,
docs/, examples/README.md and validation/README.md ends with exit code 0, as do the examples under `hstar VERB --help`.
They run in a scratch folder that looks like the source tree to a reader of the page; the blocks of one page run in
their order, its Python blocks as one program. What is left out is listed in SKIPPED and SKIPPED_SCRIPTS with its reason,
and every entry of them has to be found in the docs. A page may say "Save it as `X`" after a block: the block is then file X.
"""

import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

SKIPPED = {
    "hstar sweep sled.toml --vary pull=0.01:0.1:5000 -o pull.csv --crew dask://head:8786":
        "needs a cluster; the test `dask_crew` starts one",
    "cmake --workflow --preset release": "is what runs this test",
    "pip install --no-build-isolation .": "builds the whole library once more, which takes minutes",
    "pip wheel --no-build-isolation --no-deps .": "the test `wheel` makes one",
    "cmake --preset release && cmake --build build/release --target hstar_tool": "is how what is tested was built",
    "hstar validate": "the test `validate` does it",
    "build/release/hstar validate": "the test `validate` does it",
}
# Scripts that are not run, whatever a page hands them: most are campaigns of minutes.
SKIPPED_SCRIPTS = {
    "scripts/demo": "installs packages and builds; its last line is run instead (AFTER)",
    "scripts/test": "is what runs this test",
    "scripts/tidy": "the test `tidy` does it",
    "scripts/oracle": "the tests `oracle` and `oracle_formulas` do a part of it",
    "scripts/chaos": "the test `chaos` does a part of it",
    "scripts/arcs": "the test `exact_arcs` does a part of it",
    "scripts/compare-campaign": "the test `compare_campaign` does a part of it",
    "scripts/linkages": "the tests `linkages` and `linkages_space` do a part of it",
    "scripts/residuals": "the test `residuals` does it",
    "scripts/scenes": "the tests `scenes` and `scenes_elements` do a part of it",
    "scripts/wheel-in-debian": "needs root, debootstrap and a network",
    "scripts/gallery": "runs for a minute; the test `report_browser` opens such pages",
}
# `hstar compare` gives every method up to 3 s: less is enough to see that the command works.
SHORTER = ("hstar compare ", " --time-limit 0.05")
AFTER = ["hstar run examples/01_drag_sled.toml --all-events -o out/drag_sled"]
# Words that stand for something of the reader's own.
PLACES = {"MODEL": "block.toml", "MODEL.toml": "block.toml", "DIR": "out/block", "A": "out/drag_sled", "B": "out/drag_sled", "C": "out/drag_sled",
          "out/dry": "out/drag_sled", "out/oiled": "out/drag_sled"}
# Names the help uses, and what they are here.
FILES = {
    "sled.toml": "examples/01_drag_sled.toml", "pendulum.toml": "examples/06_pendulum_pin_friction.toml",
    "oscillator.toml": "examples/02_coulomb_oscillator.toml", "crank.toml": "validation/p13_slider_crank/model.toml",
    "impact_oscillator.toml": "examples/21_impact_oscillator.toml",
    "web_cutter.toml": "validation/web_cutter_fourbar/model.toml", "four_bar.toml": "validation/statics/four_bar/model.toml",
    "ladder.toml": "validation/statics/ladder/model.toml", "chain.toml": "validation/statics/pendulum_chain/model.toml",
    "slider_crank.toml": "validation/statics/slider_crank_load/model.toml",
    "inverted_pendulum.toml": "validation/statics/inverted_pendulum/model.toml",
    "rod.toml": "validation/p10_painleve_table/model.toml", "my_problem": "validation/p02_sled_metal",
}
TEXTS = {"cases.csv": "mu,theta\n0.3,0.3\n1.6,0.3\n", "jacobian.txt": "1 0 1.9938\n0 1 -0.1569\n",
         "system.txt": "2 1 1 7\n4 3 3 19\n8 7 9 49\n"}


def blocks(text):
    """(language, text, what follows) of all fenced blocks."""
    for match in re.finditer(r"^```(\w*)\n(.*?)^```\n(?=(.{0,200}))", text, re.M | re.S):
        yield match.groups()


def lines_of(shell):
    """Commands of a shell block: comments off, continued lines joined."""
    for line in shell.replace("\\\n", " ").splitlines():
        line = re.sub(r"(^|\s)#.*", "", line).strip()
        if line:
            yield line


def commands_of(page):
    """(kind, command) in the order of the page; Python blocks joined at the place of the last one."""
    text = page.read_text()
    found, python = [], []
    for language, body, _ in blocks(text):
        if language in ("sh", "console", "bash"):
            found += [("sh", line) for line in lines_of(body)]
        elif language == "python":
            python.append(body)
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    for inline in re.findall(r"`((?:hstar |build/release/hstar |scripts/|pip |cmake --)[^`]*)`", prose):
        words = inline.split()
        # `hstar info` or `hstar run --all-events` in running text is about the verb and its option: that there are such.
        mentioned = words[0] == "hstar" and all(w.startswith("-") for w in words[2:]) and inline not in SKIPPED
        found.append(("sh", " ".join(words) + (" --help" if mentioned else "")))
    if python:
        found.append(("python", "\n".join(python)))
    return found


def help_examples(hstar, environment):
    """The lines under "Example" in the help of the program and of each verb."""
    def ask(*words):
        return subprocess.run([hstar, *words, "--help"], capture_output=True, text=True, check=True, env=environment).stdout
    top = ask()
    verbs = re.findall(r"^  (\w+) ", top[:top.index("Example")], re.M)
    assert len(verbs) > 8, verbs
    for text in [top] + [ask(verb) for verb in verbs]:
        for line in text[text.index("Example"):].splitlines():
            if line.startswith("  hstar "):
                yield re.sub(r"\s{3,}.*", "", line.strip())  # the top of the help says what each does


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--list", action="store_true", help="print the commands and stop")
    given = parser.parse_args()
    source, build = given.source.resolve(), given.build.resolve()

    pages = [source / "README.md", *sorted((source / "docs").rglob("*.md")), source / "examples/README.md",
             source / "validation/README.md"]
    for name in ("tutorial", "cookbook"):  # the test `tutorial` runs them, and looks at what they print
        pages.remove(source / f"docs/{name}.md")
    environment = dict(os.environ, PATH=f"{build}:{os.environ['PATH']}", MPLBACKEND="Agg", PYTHONDONTWRITEBYTECODE="1",
                       PYTHONPATH=str(build / "python"), OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    todo = [(page.relative_to(source), *command) for page in pages for command in commands_of(page)]
    todo += [("hstar --help", "sh", command) for command in help_examples(str(build / "hstar"), environment)]
    todo = [("scripts/demo", "sh", command) for command in AFTER] + todo

    failed, done, skipped = [], {}, set()
    with tempfile.TemporaryDirectory() as folder:
        environment["HOME"] = folder
        os.chdir(folder)
        for name in ("examples", "validation", "docs", "scripts", "src", "completions", "CMakeLists.txt", "README.md", "NOTATION.md",
                     "CHANGELOG.md"):
            os.symlink(source / name, name)
        os.mkdir("build")
        os.symlink(build, "build/release")
        for name, there in FILES.items():
            os.symlink(source / there, name)
        for name, text in TEXTS.items():
            pathlib.Path(name).write_text(text)
        for page in pages:
            for _, body, after in blocks(page.read_text()):
                if saved := re.match(r"\s*Save (?:it|them) as `([^`]+)`", after):
                    pathlib.Path(saved[1]).unlink(missing_ok=True)  # (it may be a link into the source)
                    pathlib.Path(saved[1]).write_text(body)
        for where, kind, command in todo:
            left_out = {command, command.split(" ")[0]} & (SKIPPED.keys() | SKIPPED_SCRIPTS.keys()) if kind == "sh" else set()
            if left_out:
                skipped |= left_out
                continue
            if kind == "sh":
                command = " ".join(PLACES.get(word, word) for word in command.split(" "))
            if given.list or command in done:
                if given.list:
                    print(f"{where}: {command if kind == 'sh' else 'python'}")
                continue
            words = ["bash", "-ec", command + (SHORTER[1] if command.startswith(SHORTER[0]) else "")] if kind == "sh" else [given.python, "-c", command]
            begun = time.monotonic()
            try:
                run = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300)
                code, said = run.returncode, run.stdout[-500:] + run.stderr[-3000:]
            except subprocess.TimeoutExpired:
                code, said = "none after 300 s", ""
            done[command] = time.monotonic() - begun
            title = command if kind == "sh" else "the Python blocks"
            print(f"{'ok ' if code == 0 else 'BAD'} {done[command]:6.2f} s  {where}: {title}", flush=True)
            if code != 0:
                failed.append(f"{where}: {title}\n    exit code {code}\n    " + said.replace("\n", "\n    "))
                print("    " + failed[-1])
    stale = sorted((SKIPPED.keys() | SKIPPED_SCRIPTS.keys()) - skipped)
    for command in stale:
        print(f"BAD SKIPPED names a command that no page has: {command}")
    print("left out: " + ", ".join(sorted(skipped)))
    print(f"{len(done)} run, {len(failed)} failed", *failed, sep="\n")  # (last: a log is often cut in the middle)
    sys.exit(1 if failed or stale or (len(done) < 30 and not given.list) else 0)


if __name__ == "__main__":
    main()
