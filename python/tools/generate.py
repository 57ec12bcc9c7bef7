#!/usr/bin/env python3
"""Writes src/dashrig/records.py from docs/interfaces and docs/events.md.

With --check it only says whether the file is what it would write, and ends with 1 if not.
"""

from __future__ import annotations

import re
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "python/src/dashrig/records.py"
INTERFACES = ("org.dashrig.Rig", "org.dashrig.App")
#: Names that would stand in the way of Python's own.
RESERVED = {"from", "import", "class", "def", "global", "raw", "known_fields"}

TOKEN = re.compile(r"\s*(?:#[^\n]*\n\s*)*(->|[A-Za-z][A-Za-z0-9_.]*|[()?,:\[\]])")


@dataclass
class Interface:
    """What an interface file declares: its types, methods and errors, each with the comment above it."""

    types: dict[str, object] = field(default_factory=dict)
    methods: dict[str, tuple[dict[str, object], dict[str, object]]] = field(default_factory=dict)
    errors: dict[str, dict[str, object]] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)


class Reader:
    """The subset of Varlink's grammar that is in use, which is nearly all of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def peek(self) -> str | None:
        match = TOKEN.match(self.text, self.place)
        return match.group(1) if match else None

    def next(self, wanted: str | None = None) -> str:
        match = TOKEN.match(self.text, self.place)
        if match is None or (wanted is not None and match.group(1) != wanted):
            line = self.text.count("\n", 0, self.place) + 1
            raise SystemExit(f"generate: line {line}: expected {wanted or 'more'}, got {match and match.group(1)}")
        self.place = match.end()
        return match.group(1)

    def comment_above(self) -> str:
        """The comment that directly precedes the next token."""
        match = TOKEN.match(self.text, self.place)
        above = self.text[self.place : match.start(1)] if match else ""
        block = above.rsplit("\n\n", 1)[-1]
        return " ".join(line.strip().lstrip("#").strip() for line in block.splitlines() if "#" in line)

    def kind(self) -> object:
        """A type: a name, ("maybe", T), ("list", T), a dictionary of fields, or a list of the values of an enum."""
        token = self.peek()
        if token == "?":
            self.next()
            return ("maybe", self.kind())
        if token == "[":
            self.next()
            self.next("]")
            return ("list", self.kind())
        if token == "(":
            return self.structure()
        return self.next()

    def structure(self) -> object:
        self.next("(")
        fields: dict[str, object] = {}
        values: list[str] = []
        while self.peek() != ")":
            name = self.next()
            if self.peek() == ":":
                self.next()
                fields[name] = self.kind()
            else:
                values.append(name)
            if self.peek() == ",":
                self.next()
        self.next(")")
        return values if values else fields

    def interface(self) -> Interface:
        found = Interface()
        while (word := self.peek()) is not None:
            comment = self.comment_above()
            self.next()
            name = self.next()
            if word == "interface":
                continue
            found.comments[name] = comment
            shape = self.structure()
            if word == "type":
                found.types[name] = shape
            elif word == "method":
                self.next("->")
                found.methods[name] = (shape, self.structure())  # type: ignore[assignment]
            elif word == "error":
                found.errors[name] = shape  # type: ignore[assignment]
            else:
                raise SystemExit(f"generate: what is '{word}'?")
        return found


def read_interface(name: str) -> Interface:
    """The interface file of that name."""
    return Reader((ROOT / f"docs/interfaces/{name}.varlink").read_text()).interface()


def read_kinds() -> dict[str, str]:
    """The kinds of events, with what they mean."""
    text = (ROOT / "docs/events.md").read_text().partition("\n## ")[0]
    return dict(re.findall(r"^\| `([a-z]+(?:\.[a-z]+)?)` \| (.+?) \|$", text, re.MULTILINE))


def snake(name: str) -> str:
    """widthMillimetres -> width_millimetres, limitedUI -> limited_ui, bootID -> boot_id."""
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()
    return name + "_" if name in RESERVED else name


SCALARS = {
    "int": "read.integer",
    "string": "read.text",
    "bool": "read.boolean",
    "float": "read.number",
    "object": "read.anything",
}


def converter(kind: object, types: dict[str, object]) -> tuple[str, bool]:
    """The expression that reads a value of this type, and whether it may be absent."""
    if isinstance(kind, tuple) and kind[0] == "maybe":
        return converter(kind[1], types)[0], True
    if isinstance(kind, tuple):
        return f"read.listed({converter(kind[1], types)[0]})", False
    if isinstance(kind, list):
        return "read.text", False
    if isinstance(kind, dict):
        return "read.anything", False
    if kind in SCALARS:
        return SCALARS[str(kind)], False
    return ("read.text" if isinstance(types[str(kind)], list) else f"read.record({kind})"), False


def ordered(types: dict[str, object]) -> list[str]:
    """Each type after those that its fields name."""
    done: list[str] = []

    def visit(kind: object) -> None:
        if isinstance(kind, tuple):
            visit(kind[1])
        elif isinstance(kind, dict):
            for inner in kind.values():
                visit(inner)
        elif isinstance(kind, str) and kind in types and kind not in done:
            visit(types[kind])
            done.append(kind)

    for name in types:
        visit(name)
    return done


def wrapped(text: str, indent: str) -> str:
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    return "\n".join(textwrap.wrap(text, 110, initial_indent=indent, subsequent_indent=indent))


def literal(name: str, values: list[str]) -> list[str]:
    lines = textwrap.wrap(", ".join(f'"{value}"' for value in values), 100)
    return [f"{name} = Literal[", *[f"    {line.rstrip(',')}," for line in lines], "]"]


def generate() -> str:
    interfaces = {name: read_interface(name) for name in INTERFACES}
    types: dict[str, object] = {}
    comments: dict[str, str] = {}
    for interface in interfaces.values():
        for name, shape in interface.types.items():
            types.setdefault(name, shape)
            comments.setdefault(name, interface.comments[name])
    out = [
        '"""The records of the interfaces. Written by tools/generate.py; do not edit."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final, Literal",
        "",
        "from . import _record as read",
        "from ._record import Field, Maybe, Record",
        "",
    ]
    for name in ordered(types):
        shape = types[name]
        if isinstance(shape, list):
            out += [f"#: {comments[name]}"[:118], *literal(name, shape), ""]
            continue
        assert isinstance(shape, dict)
        out += ["", f"class {name}(Record):", '    """', wrapped(comments[name], "    "), '    """', ""]
        for field_name, kind in shape.items():
            reading, optional = converter(kind, types)
            out.append(f'    {snake(field_name)} = {"Maybe" if optional else "Field"}("{field_name}", {reading})')
        out.append("")
    out += ["", "#: The methods of each interface that this package knows, with the names of their parameters."]
    out += ["METHODS: Final[dict[str, dict[str, tuple[str, ...]]]] = {"]
    for name, interface in interfaces.items():
        out.append(f'    "{name}": {{')
        for method, (parameters, _) in interface.methods.items():
            inner = ", ".join(f'"{parameter}"' for parameter in parameters)
            line = f'        "{method}": ({inner}{"," if len(parameters) == 1 else ""}),'
            if len(line) > 118:
                lines = [f'            "{parameter}",' for parameter in parameters]
                line = "\n".join([f'        "{method}": (', *lines, "        ),"])
            out.append(line)
        out.append("    },")
    out += ["}", "", "#: The kinds of events that this package knows, and what they mean."]
    out += ["KINDS: Final[dict[str, str]] = {"]
    out += [f'    "{kind}": "{meaning}",' for kind, meaning in read_kinds().items()]
    out += ["}"]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    made = generate()
    if "--check" in sys.argv[1:]:
        if not OUTPUT.exists() or OUTPUT.read_text() != made:
            sys.exit(f"generate: {OUTPUT} is not what the interfaces say: run python/tools/generate.py")
    else:
        OUTPUT.write_text(made)
