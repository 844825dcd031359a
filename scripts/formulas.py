"""Formulas of the pages as MathML, which browsers draw by themselves.

The pages write a formula as an indented block in the notation of NOTATION.md: `M a = f + G^T lambda`, `0 <= g_N _|_ lambda_N >= 0`,
`q'`, `v_dot`, `v+` just after an event, `[A  B; C  D]` a matrix. (Programs and what they print stand between ```.)
`block` makes MathML of one; `page` of all in a page.  usage: formulas.py PAGE...  (rewrites them)"""

import html
import pathlib
import re
import sys

GREEK = dict(zip(
    "Phi Lambda Delta phi lambda gamma alpha beta delta epsilon nu mu tau omega rho sigma theta pi eta xi kappa".split(),
    "Φ Λ Δ φ λ γ α β δ ε ν μ τ ω ρ σ θ π η ξ κ".split()))
SIGNS = {"<=": "≤", ">=": "≥", "_|_": "⟂", "-": "−", "*": "·", " . ": "·", "...": "…"}
UPRIGHT = {"sgn", "Sgn", "min", "max", "exp", "sqrt", "diag", "det", "size", "rank"}
TOKEN = re.compile(r"(?P<sign><=|>=|\s*_\|_\s*|\.\.\.|\s\.\s)|(?P<gap>\s{2,})|(?P<space>\s)|(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)|"
                   r"(?P<name>[A-Za-z]+)(?P<dots>_d?dot(?![A-Za-z]))?|(?P<other>.)")
SCRIPT = re.compile(r"_(?!\|)([A-Za-z0-9]+)|\^(-?[A-Za-z0-9]+|\([^()]*\))|('+)|([+-])(?=[\s,)\]]|$)|(?<=[a-z])(\d)")


def tag(kind, text, more=""):
    return f"<{kind}{more}>{text}</{kind}>"


def name(word):
    """A symbol in italics; words of the language and names of functions upright."""
    if word in GREEK:
        return tag("mi", GREEK[word])
    if len(word) <= 1:
        return tag("mi", word)
    if len(word) == 2 and word[0] == "d":  # dq, dw: differentials and corrections
        return tag("mrow", tag("mi", "d") + tag("mi", word[1]))
    return tag("mi", word, ' mathvariant="normal"') if word in UPRIGHT or word.istitle() else tag("mtext", word)


def subscript(text):
    if match := re.fullmatch(r"([A-Z])(\1|[NT])", text):  # G_NN
        return tag("mrow", tag("mi", match[1]) + tag("mi", match[2]))
    return tag("mn", text) if text.isdigit() else name(text) if text in GREEK or len(text) == 1 else tag("mtext", text)


def row(text):
    """One line, or what stands in a cell of a matrix."""
    out, at = [], 0
    while at < len(text):
        if text[at] == "[" and (";" in text[at:] or "  " in text[at:text.find("]", at)]) and text.find("]", at) > 0:
            end = text.index("]", at)
            rows = [re.split(r"\s{2,}", line.strip()) for line in text[at + 1:end].split(";")]
            table = "".join(tag("mtr", "".join(tag("mtd", row(cell)) for cell in line)) for line in rows)
            out.append(tag("mrow", tag("mo", "[") + tag("mtable", table) + tag("mo", "]")))
            at = end + 1
            continue
        match = TOKEN.match(text, at)
        at = match.end()
        if match["gap"]:
            out.append('<mspace width="2em"/>')
        elif match["space"]:
            out.append('<mspace width="0.2em"/>')
        elif match["sign"]:
            out.append(tag("mo", SIGNS.get(match["sign"]) or SIGNS[match["sign"].strip()]))
        elif match["other"] and match["other"] not in ")]|":
            out.append(tag("mo", html.escape(SIGNS.get(match["other"], match["other"])), ' stretchy="false"'))
        else:
            base = (tag("mn", match["number"]) if match["number"] else name(match["name"]) if match["name"]
                    else tag("mo", match["other"], ' stretchy="false"'))
            if match["name"] and match["dots"]:
                base = tag("mover", base + tag("mo", "˙" if match["dots"] == "_dot" else "¨"))
            below, above, primes = "", "", ""
            while script := SCRIPT.match(text, at):
                if script[4] and not match["name"]:
                    break
                at = script.end()
                below += subscript(script[1] or script[5]) if script[1] or script[5] else ""
                primes += "′" * len(script[3] or "")
                above += row(script[2].strip("()")) if script[2] else tag("mo", SIGNS.get(script[4], script[4])) if script[4] else ""
            parts = base + (tag("mrow", below) if below else "") + (tag("mrow", above) if above else "")
            out.append(tag("msubsup" if below and above else "msub" if below else "msup", parts) if below or above else base)
            out += [tag("mtext", primes)] if primes else []
    return tag("mrow", "".join(out))


def block(lines):
    return '<div class="formula">' + "".join(tag("math", row(line.strip()), ' display="block"') for line in lines) + "</div>"


def page(text):
    """The page with its indented blocks as formulas; what is indented because it belongs to a list stays."""
    parts = re.split(r"(^```.*?^```[^\n]*$)", text, flags=re.S | re.M)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"(?:(?<=\n\n)|\A)((?:    \S[^\n]*(?:\n|\Z))+)", lambda m: block(m[1].splitlines()) + "\n", parts[i])
    return "".join(parts)


if __name__ == "__main__":
    for file in sys.argv[1:]:
        path = pathlib.Path(file)
        path.write_text(page(path.read_text()))
