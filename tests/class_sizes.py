"""What must hold: no class of these folders has more than 25 methods or 25 members, but for the exceptions named below,
which may not grow.  usage: class_sizes.py SOURCE [all]

Counted is what a class body says, in headers and sources: functions declared or defined in it, constructors and
overrides among them, overloads and const pairs each, without `= default` and `= delete`; and data members by their
names, without `static` ones. Types, friends and `using` count nothing; a nested class counts for itself. `all` prints
every class that has methods."""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
folders = ["events", "src/math", "src/contact", "src/formulation", "src/analysis/statics", "src/transition"]
most = 25
# Most methods and members of each exception.
exceptions = {
    # 28 methods are overrides: what a run loop asks of a mechanism (OdeProblem, GuardSet, HybridProcess, slopes, affine
    # rates) is one object there, and nearly all of them hand on to the owner of the answer.
    "MechanismProcess": (52, 22),
}


def bare(text):
    """Without comments, strings, preprocessor lines and attributes."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/|^#[^\n]*|\[\[.*?\]\]", " ", text, flags=re.S | re.M)
    return re.sub(r'"(\\.|[^"\\])*"|' + r"'(\\.|[^'\\])'", "0", text)


def closing(text, at):
    """Place of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    raise ValueError("unbalanced brackets")


def statements(body):
    """Declarations of a class body, each without what stands in braces."""
    start, i, said = 0, 0, ""
    while i < len(body):
        if body[i] in "({":
            end = closing(body, i)
            said += body[start:i] + body[i] + body[end]
            function = body[i] == "{" and "(" in re.sub(r"=.*", "", said, flags=re.S)
            i = start = end + 1
            # A function ends with its body unless that was the {} of an initialiser before it.
            if function and not re.match(r"\s*[,{]", body[i:]):
                yield said
                said = ""
        elif body[i] == ";":
            yield said + body[start:i]
            said, i, start = "", i + 1, i + 1
        else:
            i += 1


def count(body):
    methods = members = 0
    for said in statements(body):
        said = re.sub(r"\b(public|private|protected)\s*:(?!:)", " ", said).strip()
        said = re.sub(r"^template\s*<[^{}();]*?>\s*(?=\w)", "", said)
        if not said or re.match(r"(class|struct|enum|union)\b(?!.*\}\s*\w)|using\b|typedef\b|friend\b|static_assert\b",
                                said, re.S):
            continue
        said = re.sub(r"\balignas\(\)", "", said)
        head = re.split(r"=(?!=)", said.replace("operator()", "operator").replace("operator=", "operator"))[0]
        if "(" in re.sub(r"<[^<>]*(<[^<>]*(<[^<>]*>)?[^<>]*>)?[^<>]*>", "", head):
            methods += not re.search(r"=\s*(default|delete)\s*$", said)
        elif not re.match(r"(inline\s+)?static\b", said):
            names = re.sub(r"<[^;]*>|\{\}|\(\)|=[^,]*", "", said)
            members += 1 + names.count(",")
    return methods, members


def classes(text, outer=""):
    for found in re.finditer(r"\b(?:class|struct)\s+([\w:]+)[^;{}()=]*\{", text):
        start = found.end() - 1
        if re.search(r"\benum\s+$", text[:found.start()]):
            continue
        yield found.group(1), text[start + 1:closing(text, start)]


wrong = []
for folder in folders:
    for path in sorted((source / folder).rglob("*.[ch]pp")):
        for name, body in classes(bare(path.read_text())):
            methods, members = count(body)
            if methods and len(sys.argv) > 2:
                print(f"{methods:3} {members:3} {path.relative_to(source)}: {name}")
            may = exceptions.get(name, (most, most))
            if methods and (methods > may[0] or members > may[1]):
                wrong.append(f"{path.relative_to(source)}: {name} has {methods} methods and {members} members, more "
                             f"than {may[0]} or {may[1]}: give a part of it to an owner of its own")
print("\n".join(wrong) or f"{' '.join(folders)}: none has more than {most}, but for {', '.join(exceptions)}")
sys.exit(1 if wrong else 0)
