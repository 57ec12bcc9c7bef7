"""Swift source as text: code without comments and strings, brackets, lines."""

import re


def strip(text):
    """The code alone, and the comments by line.

    Comments and the text of strings become spaces, so that places stay what they were; code inside `\\( )` stays.
    """
    out, comments, i, line = [], {}, 0, 1
    stack = []  # of open strings: [quotes, hashes, depth of parentheses, or None while in its text]

    def blank(piece):
        nonlocal line
        out.append(re.sub(r"[^\n]", " ", piece))
        line += piece.count("\n")

    opening = re.compile(r'(#*)("""|")')
    plain = re.compile(r'[^"/#()]+')  # code without comment, string or parenthesis
    words = re.compile(r'[^"\\\n]+')  # a string's text
    while i < len(text):
        if stack and stack[-1][2] is None:  # in the text of a string
            quotes, hashes, _ = stack[-1]
            escape = "\\" + hashes
            if text.startswith(quotes + hashes, i):
                blank(quotes + hashes)
                i += len(quotes + hashes)
                stack.pop()
            elif text.startswith(escape + "(", i):
                blank(escape + "(")
                i += len(escape) + 1
                stack[-1][2] = 0
            elif text.startswith(escape, i):
                blank(text[i : i + len(escape) + 1])
                i += len(escape) + 1
            elif text[i] == "\n" and quotes == '"':  # an unfinished string: the compiler says so
                stack.pop()
            else:
                piece = words.match(text, i)
                piece = piece[0] if piece else text[i]
                blank(piece)
                i += len(piece)
            continue
        if match := plain.match(text, i):
            out.append(match[0])
            line += match[0].count("\n")
            i = match.end()
            continue
        if text.startswith("//", i):
            end = text.find("\n", i)
            end = len(text) if end < 0 else end
            comments[line] = comments.get(line, "") + text[i:end]
            blank(text[i:end])
            i = end
        elif text.startswith("/*", i):
            depth, j = 1, i + 2
            while j < len(text) and depth:
                step = 2
                if text.startswith("/*", j):
                    depth += 1
                elif text.startswith("*/", j):
                    depth -= 1
                else:
                    step = 1
                j += step
            comments[line] = comments.get(line, "") + text[i:j]
            blank(text[i:j])
            i = j
        elif match := opening.match(text, i):
            stack.append([match[2], match[1], None])
            blank(match[0])
            i = match.end()
        else:
            char = text[i]
            if stack:
                if char == "(":
                    stack[-1][2] += 1
                elif char == ")":
                    if stack[-1][2] == 0:
                        stack[-1][2] = None
                        char = " "
                    else:
                        stack[-1][2] -= 1
            out.append(char)
            i += 1
    return "".join(out), comments


def closing(text, at):
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        if text[i] in "([{":
            depth += 1
        elif text[i] in ")]}":
            depth -= 1
            if depth == 0:
                return i + 1
    return len(text)


class Source:
    """One Swift file."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.code, self.comments = strip(text)
        self.starts = [0] + [m.end() for m in re.finditer("\n", self.code)]
        parts = path.split("/")
        self.tree, self.target = parts[0], parts[1] if len(parts) > 2 else ""
        self.file = parts[-1]

    def line(self, offset):
        """The number of the line that holds `offset`."""
        low, high = 0, len(self.starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= offset else (low, middle)
        return low + 1

    def allowed(self, line, word):
        """Whether a comment `// word: reason` stands on the line, or in the comment lines right above it."""
        mark = re.compile(r"//\s*" + re.escape(word) + r":\s*\S")
        if mark.search(self.comments.get(line, "")):
            return True
        line -= 1
        while line > 0 and line in self.comments and not self.code_line(line).strip():
            if mark.search(self.comments[line]):
                return True
            line -= 1
        return False

    def code_line(self, line):
        end = self.starts[line] if line < len(self.starts) else len(self.code)
        return self.code[self.starts[line - 1] : end]
