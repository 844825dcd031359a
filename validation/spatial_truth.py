"""Writes reference.toml of the spatial_* problems (schema truth-1): events and states by closed forms, 25 digits (mpmath).

A problem is a function of its parameters that gives (events, final). time_sensitivity is the largest change of an event time
per relative change of a parameter, by differences of that function."""
from mpmath import mp, mpf

mp.dps = 60


def text(x):
    return '"' + mp.nstr(mpf(x), 25, min_fixed=-8, max_fixed=25) + '"'


def row(values):
    return "[" + ", ".join(text(v) for v in values) + "]"


def sensitivity(solve, parameters, constant=()):
    base = [e["t"] for e in solve(parameters)[0] if not e.get("optional")]
    worst = mpf(0)
    for name, value in parameters.items():
        if value == 0 or name in constant:
            continue
        d = mpf(10) ** -20
        other = [e["t"] for e in solve({**parameters, name: value * (1 + d)})[0] if not e.get("optional")]
        worst = max([worst] + [abs(b - a) / d for a, b in zip(base, other)])
    return worst


def write(path, id, title, statement, equations, method, parameters, notes, state_names, initial, mode, solve, end,
          conventions="", extra=(), constant=()):
    p = {k: mpf(v) for k, v in parameters.items()}
    events, final = solve(p)
    out = ['# Written by make_reference.py (mpmath).', 'schema = "truth-1"', f'id = "{id}"', f'title = "{title}"',
           f'statement = """\n{statement.strip()}\n"""', f'equations = """\n{equations.strip()}\n"""',
           f'conventions = """\n{conventions.strip()}\n"""', "", "[parameters]"]
    out += [f'{k} = "{v}"' for k, v in parameters.items()]
    out += ["", "[parameter_notes]"] + [f'{k} = "{v}"' for k, v in notes.items()]
    out += ["", "[initial]", 't = "0"', f'mode = "{mode}"',
            "state_names = [" + ", ".join(f'"{n}"' for n in state_names) + "]", f"state = {row(initial(p))}", "",
            "[run]", f"t_end = {text(end(p))}", f"event_count = {len(events)}", "", "[final]", f"t = {text(end(p))}",
            f'mode = "{events[-1]["mode_after"]}"', f"state = {row(final)}", "", "[verification]",
            f'method = "{method}"', "digits = 25",
            f'time_sensitivity = "{mp.nstr(sensitivity(solve, p, constant), 3)}"']
    for e in extra:
        first, last, kind = e(p) if callable(e) else e
        out += ["", "[[allow_extra]]", f"t_from = {text(first)}", f"t_to = {text(last)}", f'kind = "{kind}"']
    for i, e in enumerate(events):
        out += ["", "[[event]]", f"index = {i + 1}", f't = {text(e["t"])}', f'kind = "{e["kind"]}"']
        if "where" in e:
            out.append(f'where = "{e["where"]}"')
        if e.get("optional"):
            out.append("optional = true")
        out += [f'mode_before = "{e["mode_before"]}"', f'mode_after = "{e["mode_after"]}"',
                f'before = {row(e["before"])}', f'after = {row(e["after"])}']
    with open(path, "w") as f:
        f.write("\n".join(out) + "\n")
