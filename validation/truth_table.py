"""Writes reference.toml (schema truth-table-1) of the problems in statics/ and statics_space/: one table a case, numbers
with 25 digits (mpmath)."""
import os
from mpmath import mpf, nstr


def text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"%s"' % value
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text(v) for v in value) + "]"
    return '"%s"' % nstr(mpf(value), 25, strip_zeros=False)


def write(folder, name, title, cases):
    """Of problem `name` in `folder`."""
    with open(os.path.join(folder, name, "reference.toml"), "w") as out:
        out.write('schema = "truth-table-1"\nid = "%s/%s"\ntitle = "%s"\n' % (os.path.basename(folder), name, title))
        for case in cases:
            out.write("\n[[case]]\n")
            for key, value in case.items():
                out.write("%s = %s\n" % (key, text(value)))
