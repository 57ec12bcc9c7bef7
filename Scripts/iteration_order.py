"""The rule against iterating over Dictionary and Set.

The order of Dictionary and Set differs in every process, so pure targets do not iterate over them. Names that are
declared as one are followed by name: a name declared in the same file counts before one of another file.
"""

import re

from swift_text import closing

# What gives a sequence in the container's order.
SEQUENCE = set(
    "keys values lazy enumerated map compactMap flatMap reduce forEach first prefix dropFirst popFirst makeIterator "
    "indices startIndex randomElement joined elementsEqual starts min max removeFirst reversed".split()
)
# What gives an unordered container again.
CONTAINER = set("filter mapValues compactMapValues union intersection subtracting symmetricDifference merging".split())
# What answers the same in any order, asked of `.keys` and `.values`.
ANSWER = {"count", "isEmpty", "contains", "allSatisfy", "min", "max"}
DECLARATION = re.compile(r"\b([A-Za-z_]\w*)\s*:\s*(?:inout\s+|borrowing\s+|consuming\s+|sending\s+)*(?=[\[\w])")
BINDING = re.compile(r"\b(?:let|var)\s+(\w+)\s*(?::\s*([^=\n{]+))?=\s*")
FUNCTION = re.compile(r"\bfunc\s+(\w+)")


def type_text(code, at):
    """The type that begins at `at`."""
    i = at
    while i < len(code):
        if code[i] in "([":
            i = closing(code, i)
        elif code[i] == "<":
            depth = 0
            while i < len(code):
                depth += (code[i] == "<") - (code[i] == ">" and code[i - 1] != "-")
                i += 1
                if depth == 0:
                    break
        elif re.match(r"[\w.?!&]", code[i]):
            i += 1
        else:
            break
    return code[at:i]


def split_dictionary(text):
    """Key and value of `[Key: Value]`, else `None`."""
    text = text.strip().rstrip("?!")
    if not text.startswith("[") or closing(text, 0) != len(text):
        return None
    depth = 0
    for i, char in enumerate(text[1:-1], 1):
        depth += (char in "([<") - (char in ")]" or (char == ">" and text[i - 1] != "-"))
        if char == ":" and depth == 0:
            return text[1:i].strip(), text[i + 1 : -1].strip()
    return None


class Names:
    """What the names of pure code are declared as."""

    def __init__(self, sources):
        alias = re.compile(r"\btypealias\s+(\w+)\s*=\s*(?=\[|Set\b|Dictionary\b)")
        self.aliases = set()
        self.aliases = {
            m[1] for s in sources for m in alias.finditer(s.code) if self.unordered(type_text(s.code, m.end()))
        }
        self.files = {s.path: self.read(s.code) for s in sources}
        self.all = {}
        for names in self.files.values():
            for name, found in names.items():
                self.all.setdefault(name, []).extend(found)
        self.suspects = {name for name, found in self.all.items() if any(d[3] is not None for d in found)}

    def unordered(self, text):
        text = text.strip().rstrip("?!")
        head = re.match(r"(?:Swift\.)?(\w+)", text)
        if head and (head[1] in ("Set", "Dictionary") or head[1] in self.aliases):
            return not re.match(r"(?:Swift\.)?\w+(?:<.*>)?\.", text)
        return split_dictionary(text) is not None

    def classify(self, text):
        """None for what has an order, else whether its values are unordered too."""
        if not self.unordered(text):
            return None
        if parts := split_dictionary(text):
            return self.unordered(parts[1])
        generic = re.match(r"(?:Swift\.)?Dictionary<[^,]+,\s*(.+)>$", text.strip().rstrip("?!"))
        return bool(generic) and self.unordered(generic[1])

    def read(self, code):
        """Name to its declarations: (begin and end of its scope, whether it is a property or variable, what it is)."""
        names, blocks = {}, braces(code)

        def add(name, at, variable, what):
            begin, end = enclosing(blocks, at, len(code))
            if not variable and (body := body_of_parameter(code, at)):
                begin, end = body
            names.setdefault(name, []).append((begin, end, variable, what))

        for match in DECLARATION.finditer(code):
            before = code[max(0, match.start() - 200) : match.start()]
            place = re.search(r"(\b(?:let|var)|[(,]|[(,]\s*\w+)\s*$", before)
            if not place:
                continue
            text = type_text(code, match.end())
            # `f(x: [a, b])` is a call, not a declaration: a type begins with a capital or one of Swift's own words.
            if re.match(r"[\[(]*\s*[a-z0-9_.]", text) and not re.match(r"(?:any|some)\b", text):
                continue
            add(match[1], match.start(), place[1] in ("let", "var"), self.classify(text))
        for match in BINDING.finditer(code):
            if match[2] is not None:
                continue
            value = code[match.end() : match.end() + 400]
            literal = split_dictionary(type_text(code, match.end())) if value.startswith("[") else None
            if re.match(r"\[\s*:\s*\]|(?:Set|Dictionary)\s*[<(]|[\w.]+\.reduce\(\s*into:\s*\[\s*:\s*\]", value):
                add(match[1], match.start(), True, False)
            elif literal and "?" not in literal[0]:  # a literal or `[Key: Value]()`, not `[a ? b : c]`
                add(match[1], match.start(), True, self.unordered(literal[1]))
            else:
                add(match[1], match.start(), True, None)
        for match in FUNCTION.finditer(code):
            start = code.find("(", match.end())
            if start < 0:
                continue
            end = closing(code, start)
            effects = r"\s*(?:async\s*)?(?:throws\s*(?:\([^)]*\))?\s*)?(?:rethrows\s*)?->\s*"
            if arrow := re.compile(effects).match(code, end):
                add(match[1] + "()", match.start(), True, self.classify(type_text(code, arrow.end())))
        return names

    def find(self, path, name, at, member):
        """What `name`, used at `at`, is: the innermost declaration whose scope holds it; for the member of another
        value, or where this file declares none, what all its declarations agree on."""
        here = self.files[path].get(name, [])
        if not member:
            around = [d for d in here if d[0] <= at < d[1]]
            if around:
                return max(around, key=lambda d: d[0])[3]
        variables = [d for d in here if d[2]] or [d for d in self.all.get(name, []) if d[2]]
        kinds = {d[3] for d in variables}
        if not kinds or None in kinds:
            return None
        return True in kinds


def braces(code):
    """Every pair of braces: (begin, end), inner ones before outer ones."""
    pairs, opened = [], []
    for match in re.finditer(r"[{}]", code):
        if match[0] == "{":
            opened.append(match.start())
        elif opened:
            pairs.append((opened.pop(), match.end()))
    return pairs


def enclosing(blocks, at, length):
    return next(((b, e) for b, e in blocks if b < at < e), (0, length))


def body_of_parameter(code, at):
    """The body of the function in whose parentheses `at` stands."""
    depth, i = 0, at
    while i > 0:
        i -= 1
        if code[i] in ")]}":
            depth += 1
        elif code[i] in "([{":
            if depth == 0:
                break
            depth -= 1
    if code[i] != "(":
        return None
    head = re.compile(r"[^{}]*?\{").match(code, closing(code, i))
    return (head.end() - 1, closing(code, head.end() - 1)) if head else None


def chain_after(code, at):
    """The calls that follow a name: [(member, place behind it)], over `?`, `!`, arguments and trailing closures."""
    members, i = [], at
    while True:
        match = re.compile(r"\s*[?!]?\s*\.\s*(\w+)").match(code, i)
        if not match:
            return members, i
        i = match.end()
        while True:
            gap = re.compile(r"[ \t]*").match(code, i).end()
            if code.startswith("(", i):
                i = closing(code, i)
            elif (
                code.startswith("{", gap) and match[1] in SEQUENCE | CONTAINER | {"sorted"} and not in_header(code, at)
            ):
                i = closing(code, gap)
            else:
                break
        members.append(match[1])


def in_header(code, at):
    """Whether `at` stands in the head of a for, if, while, guard or switch, where `{` opens the body."""
    start = max(code.rfind(c, 0, at) for c in "{};")
    head = code[start + 1 : at]
    opened = head.count("(") + head.count("[") - head.count(")") - head.count("]")
    return opened == 0 and re.search(r"\b(?:for|if|while|guard|switch)\b", head) is not None


USE = re.compile(r"(?<![\w`])([A-Za-z_]\w*)(\(\)|\b)")


def check_order(sources, report):
    """Reports every place of the pure sources that takes the order of a Dictionary or Set as given."""
    names = Names(sources)
    for source in sources:
        seen = set()
        for match in USE.finditer(source.code):
            name, line = match[1] + match[2], source.line(match.start())
            how = what_depends(source, names, name, match) if name in names.suspects else None
            if how and (line, name) not in seen and not source.allowed(line, "order-free"):
                seen.add((line, name))
                text = (
                    f"{how} {name}, a Dictionary or Set: its order differs in every process; sort the keys, use an "
                    "array, or say why it does not matter: // order-free: reason"
                )
                report(source.path, line, "order", text)


def what_depends(source, names, name, match):
    """What at this use of a name depends on the order, or None."""
    code, end = source.code, match.end()
    before = code[max(0, match.start() - 400) : match.start()]
    owned = re.search(r"(\w|[)\]])\s*[?!]?\s*\.\s*$", before) is not None
    nested = names.find(source.path, name, match.start(), owned)
    if nested is None or re.match(r"\s*:(?!:)", code[end : end + 80]) or re.search(r"\bfunc\s+$", before):
        return None  # of another kind; a label or a declaration
    if code.startswith("[", end):
        if not nested:
            return None
        end = closing(code, end)
    members, stop = chain_after(code, end)
    while members and members[0] in CONTAINER:
        members = members[1:]
    if "sorted" in members:
        return None
    if members:
        first, second = members[0], members[1] if len(members) > 1 else ""
        if first in ("keys", "values") and second in ANSWER:
            return None
        if first in ("min", "max") and code[stop - 2 : stop] == "()":
            return None
        return f".{first} of" if first in SEQUENCE else None
    head = before[: re.search(r"(?:[\w)\]?!]+\s*\.\s*)*$", before).start()]
    if re.search(r"\bfor\b[^{};]*\bin\s+(?:zip\s*\([^)]*)?$", head):
        return "iterates over"
    if re.search(r"(?:\b(?:Array|ContiguousArray|ArraySlice)\s*\(|\bcontentsOf:)\s*$", head):
        return None if re.match(r"\s*\)\s*\.\s*sorted\b", code[stop : stop + 80]) else "lists"
    return None
