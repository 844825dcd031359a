"""The key table as types: `python3 -m hstar.keys_text > src/python/hstar/keys.py` writes keys.py anew."""

from __future__ import annotations

import keyword

from . import _core

_SECTIONS = ("friction", "simulation", "body", "joint", "force", "contact", "state", "guard", "measure", "controller", "table", "system")


def keys_text() -> str:
    """keys.py: a TypedDict a section, so that editors complete and check the keywords of Model."""
    lines = ['"""The keys of a model as types, made from the key table by hstar.keys_text."""', "",
             "from __future__ import annotations", "",
             "from typing import Any, Literal, Mapping, Sequence, TypedDict, Union", "",
             "Number = Union[float, str]", '"""A number, or a formula in text."""']
    for section in _SECTIONS:
        lines += ["", "", f"class {section.capitalize()}(TypedDict, total=False):"]
        for name, (unit, _, about, kind) in _core.keys_of(section).items():
            if name == "name" or keyword.iskeyword(name):  # (as a keyword argument Python takes no `from`)
                continue
            lines += [f"    {name}: {kind}", f'    """{about}{f" [{unit}]" if unit else ""}."""']
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(keys_text(), end="")
