"""Finds in Swift source what may be changed, and into what. Knows tokens and brackets, no grammar: what does not
compile is left out by the compiler. Relies on swift-format's white space: a binary operator has some on both sides."""
import re
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"(?P<space>[ \t]+)|(?P<line>\n)|(?P<number>0x[0-9A-Fa-f_]+|\d[\d_]*(?![\w]))|(?P<word>[#@`]?\w+`?)"
    r"|(?P<operator>[=<>!&|+\-*/%^~?.]+)|(?P<other>.)", re.S)
OPENING, CLOSING = "([{", ")]}"
# What ends an operand, by how tightly the operator binds.
STATEMENTS = {"return", "if", "guard", "while", "else", "in", "where", "case", "let", "var", "throw", "switch", "for",
              "default", "do", "catch", "=", "+=", "-=", "*=", "|=", "&=", "&+=", "&-=", "<<=", ">>=", "->", ",", ";", ":"}
ENDS = {"ternary": STATEMENTS | {"?"}, "or": STATEMENTS | {"?", "||"}, "and": STATEMENTS | {"?", "||", "&&"}}
COMPARISONS = {"==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
               "===": ["!=="], "!==": ["==="]}
ENDS["comparison"] = ENDS["and"] | set(COMPARISONS)
ARITHMETIC = {"&+": "&-", "&-": "&+", "<<": ">>", ">>": "<<", "&<<": "&>>", "&>>": "&<<", "&": "|", "|": "&"}
DECLARATION = re.compile(r"^ *(?:(?:@\w+(?:\([^)]*\))?|package|public|private|fileprivate|internal|static|mutating|final"
                         r"|borrowing|consuming|nonisolated|convenience|override) +)*(?:(?:func|var|let) +(`?\w+`?)|(init|subscript)\b)")


@dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int
    partner: int = -1
    spaced: bool = False  # white space on both sides


@dataclass
class Mutant:
    file: str
    function: str
    span: tuple
    original: str
    change: str
    line: int
    is_statement: bool = False
    id: int = 0
    key: str = field(default="", init=False)

    def __post_init__(self):
        squeeze = lambda text: " ".join(text.split())
        self.key = "\t".join([self.file, self.function, squeeze(self.original), squeeze(self.change)])


def blanked(text):
    """The text with comments and what strings say replaced by as many harmless characters."""
    out, position = list(text), 0
    cover = lambda start, end, mark: out.__setitem__(
        slice(start, end), [mark if c != "\n" else "\n" for c in text[start:end]])
    while position < len(text):
        if text.startswith("//", position):
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            cover(position, end, " ")
        elif text.startswith("/*", position):
            end = text.index("*/", position) + 2
            cover(position, end, " ")
        elif text[position] == '"':
            end = string_end(text, position)
            cover(position, end, "s")
        else:
            position += 1
            continue
        position = end
    return "".join(out)


def string_end(text, position):
    hashes = len(text[:position]) - len(text[:position].rstrip("#"))
    quote = '"""' if text.startswith('"""', position) else '"'
    escape, close = "\\" + "#" * hashes, quote + "#" * hashes
    position += len(quote)
    while position < len(text):
        if text.startswith(escape + "(", position):
            position, depth = position + len(escape) + 1, 1
            while depth:
                if text[position] == '"': position = string_end(text, position); continue
                depth += {"(": 1, ")": -1}.get(text[position], 0)
                position += 1
        elif text.startswith(escape, position): position += len(escape) + 1
        elif text.startswith(close, position): return position + len(close)
        else: position += 1
    return position


def tokens_of(code):
    """The tokens without white space; ends of lines only where a statement ends there."""
    everything = [Token(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(code)]
    tokens, stack = [], []
    for index, token in enumerate(everything):
        if token.kind == "space": continue
        if token.kind == "line":
            following = next((t for t in everything[index + 1:] if t.kind not in ("space", "line")), None)
            if not tokens or tokens[-1].kind == "line" or following is None: continue
            last = tokens[-1]
            goes_on = (last.text in (",", "(", "[", ":") or last.kind == "operator" and last.text not in ("?", "!")
                       or following.kind == "operator" and not following.text.startswith("!") and following.text != "..."
                       or following.text in (")", "]", ",", "else"))
            if goes_on: continue
        if token.kind == "operator":
            before, after = everything[index - 1], everything[min(index + 1, len(everything) - 1)]
            token.spaced = before.kind in ("space", "line") and after.kind in ("space", "line")
        if token.text in OPENING: stack.append(len(tokens))
        if token.text in CLOSING and stack:
            opening = stack.pop()
            tokens[opening].partner, token.partner = len(tokens), opening
        tokens.append(token)
    return tokens


class Finder:
    def __init__(self, file, text):
        self.file, self.text, self.code = file, text, blanked(text)
        self.tokens = tokens_of(self.code)
        self.found = {}

    def mutants(self):
        for index, token in enumerate(self.tokens):
            if token.kind == "operator" and token.spaced: self.operator(index, token.text)
            elif token.text in ("if", "guard", "while"): self.conditions(index)
            elif token.text == "where": self.condition(index + 1)
            elif token.text in ("true", "false"):
                self.add(token.start, token.end, "false" if token.text == "true" else "true")
            elif token.kind == "number": self.number(index, token)
            elif token.text == "[": self.list(index)
            elif token.text in ("allSatisfy", "first", "last"): self.member(index)
        self.statements()
        return list(self.found.values())

    def ends(self, token, kind):
        return (token.kind == "line" or token.text in ENDS[kind] and (token.kind != "operator" or token.spaced)
                or token.text == "{")

    def left(self, index, kind):
        """The first token of the operand that ends before a token."""
        while index > 0:
            token = self.tokens[index - 1]
            if token.text in CLOSING and token.partner >= 0:
                if token.text == "}" and self.tokens[token.partner - 1].kind == "line": return index
                index = token.partner
                continue
            if token.text in OPENING or self.ends(token, kind): return index
            index -= 1
        return index

    def right(self, index, kind, block_ends):
        """The token behind the operand that begins at a token."""
        while index < len(self.tokens):
            token = self.tokens[index]
            if token.text == "{" and not block_ends and token.partner >= 0 or token.text in "([" and token.partner >= 0:
                index = token.partner + 1
                continue
            if token.text in CLOSING or self.ends(token, kind): return index
            index += 1
        return index

    def is_in_condition(self, index):
        while index > 0:
            token = self.tokens[index - 1]
            if token.text in CLOSING and token.partner >= 0: index = token.partner; continue
            if token.kind == "line" or token.text in OPENING: return False
            if token.text in ("if", "guard", "while", "for", "switch", "where"): return True
            index -= 1
        return False

    def add(self, start, end, *changes, is_statement=False):
        if start >= end: return
        original = self.text[start:end]
        line = self.text.count("\n", 0, start)
        for change in changes:
            if change.strip() == original.strip(): continue
            mutant = Mutant(self.file, self.function(line), (start, end), original, change, line + 1, is_statement)
            self.found.setdefault((start, end, change), mutant)

    def span(self, first, behind):
        while first < behind and self.tokens[first].text in ("try", "unsafe", "await", "repeat"): first += 1
        if first >= behind or any(t.text in ("let", "var", "case") for t in self.tokens[first:first + 1]): return None
        return self.tokens[first].start, self.tokens[behind - 1].end

    def function(self, line):
        lines = self.text.split("\n")
        indent = len(lines[line]) - len(lines[line].lstrip())
        for number in range(line, -1, -1):
            match = DECLARATION.match(lines[number])
            own = len(lines[number]) - len(lines[number].lstrip())
            if match and (own < indent or number == line): 
                name = (match.group(1) or match.group(2)).strip("`")
                if own <= 4: return name
        return ""

    def operator(self, index, text):
        in_condition = self.is_in_condition(index)
        sides = lambda kind: (self.left(index, kind), self.right(index + 1, kind, in_condition))
        if text in COMPARISONS:
            first, behind = sides("comparison")
            span = self.span(first, behind)
            if not span: return
            before, after = self.text[span[0]:self.tokens[index].start], self.text[self.tokens[index].end:span[1]]
            self.add(*span, *[before + other + after for other in COMPARISONS[text]], "true", "false")
        elif text in ("&&", "||"):
            for first, behind in [(self.left(index, "and"), index), (index + 1, self.right(index + 1, "and", in_condition))]:
                span = self.span(first, behind)
                if span: self.add(*span, "true", "false")
        elif text == "?":
            span = self.span(self.left(index, "ternary"), index)
            if span: self.add(*span, "true", "false")
        elif text in ARITHMETIC or text in ("+", "-"):
            span = self.span(self.left(index, "comparison"), self.right(index + 1, "comparison", in_condition))
            # Strings and arrays are put together with + too; a number beside it says that it is none.
            if span and (text in ARITHMETIC or self.tokens[index + 1].kind == "number"):
                other = ARITHMETIC.get(text) or {"+": "-", "-": "+"}[text]
                before, after = self.text[span[0]:self.tokens[index].start], self.text[self.tokens[index].end:span[1]]
                self.add(*span, before + other + after)

    def conditions(self, index):
        index += 1
        while index < len(self.tokens):
            behind = self.condition(index)
            if behind >= len(self.tokens) or self.tokens[behind].text != ",": return
            index = behind + 1

    def condition(self, index):
        behind = self.right(index, "ternary", True)
        if index < len(self.tokens) and self.tokens[index].text in ("let", "var", "case") or self.tokens[index].text.startswith("#"):
            while behind < len(self.tokens) and self.tokens[behind].text not in (",", "{", "else"):
                if self.tokens[behind].text in CLOSING or self.tokens[behind].kind == "line": return len(self.tokens)
                behind = self.right(behind + 1, "ternary", True)
            return behind
        span = self.span(index, behind)
        if span: self.add(*span, "true", "false")
        return behind

    def number(self, index, token):
        line = self.text[self.text.rfind("\n", 0, token.start) + 1:token.start]
        if re.match(r"\s*(case\b|@|import|//)", line) and ":" not in line or "InlineArray" in line: return
        if self.text[token.start - 1] in "." and self.text[token.start - 2] != "." or "<" in line[-1:] and ".." not in line[-3:]: return
        # Tables: a wrong byte there is one of thousands.
        if line.count(",") > 5 or self.text[token.end:].split("\n", 1)[0].count(",") > 5: return
        value = int(token.text.replace("_", ""), 0)
        self.add(token.start, token.end, *([] if value == 255 else [str(value + 1)]) + ([str(value - 1)] if value else []))

    def list(self, index):
        """Members of enumerations, one of them left out."""
        behind = self.tokens[index].partner
        if behind < 0: return
        members = re.split(r",\s*", self.code[self.tokens[index].end:self.tokens[behind].start].strip().rstrip(","))
        if not 2 <= len(members) <= 30 or not all(re.fullmatch(r"\.\w+", member) for member in members): return
        self.add(self.tokens[index].start, self.tokens[behind].end,
                 *["[" + ", ".join(members[:n] + members[n + 1:]) + "]" for n in range(len(members))])

    def member(self, index):
        if self.tokens[index - 1].text not in (".", "?."): return
        first = index
        span = self.span(self.left(index, "comparison"), self.right(index, "comparison", self.is_in_condition(index)))
        if not span: return
        token = self.tokens[first]
        other = {"allSatisfy": "contains", "first": "last", "last": "first"}[token.text]
        self.add(*span, self.text[span[0]:token.start] + other + self.text[token.end:span[1]])

    def statements(self):
        for index, token in enumerate(self.tokens):
            if index and self.tokens[index - 1].kind != "line" and self.tokens[index - 1].text != "{": continue
            if token.kind != "word" or token.text in STATEMENTS | {"defer", "import", "extension", "struct", "enum", "func", "self", "init"}: continue
            behind = index
            while behind < len(self.tokens) and self.tokens[behind].kind != "line" and self.tokens[behind].text != "}":
                behind = self.tokens[behind].partner + 1 if self.tokens[behind].text in OPENING and self.tokens[behind].partner >= 0 else behind + 1
            own = self.tokens[index:behind]
            texts = [t.text for t in own]
            assigns = any(t in ("=", "+=", "-=", "&+=", "|=") for t in texts)
            following = self.tokens[behind:behind + 2]
            # The value of its block, or a property's first value.
            if not assigns and index and self.tokens[index - 1].text == "{" and any(t.text == "}" for t in following) \
                    and texts[0] != "try" or assigns and self.function(self.text.count("\n", 0, token.start)) == "init": continue
            calls = texts[0] == "try" and "=" not in texts or re.fullmatch(r"[a-z]\w*", texts[0]) and (
                texts[-1] == ")" and "=" not in texts and texts[1:2] in (["("], ["."]) or assigns)
            if calls and not any(t in ("let", "var", "{", "func") or t.startswith("@") for t in texts):
                self.add(own[0].start, own[-1].end, "", is_statement=True)
