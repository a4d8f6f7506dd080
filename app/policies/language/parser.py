"""From tokens to a syntax tree: precedence climbing, with a place for every complaint."""

import math

from app.policies.language import tree
from app.policies.language.errors import PolicySyntaxError
from app.policies.language.tokens import Token, text_of, tokens

MAX_NESTING = 24
INT_MIN, INT_MAX = -(2**63), 2**63 - 1

_BINDING = {
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "in"), 1),
    **dict.fromkeys(("+", "-"), 2),
    **dict.fromkeys(("*", "/", "%"), 3),
}
_CONSTANTS = {"true": True, "false": False, "null": None}
_WORDS = {"and": "'and' is written '&&'", "or": "'or' is written '||'", "not": "'not' is '!'"}


def parse(source: str) -> tree.Node:
    """The tree of an expression.

    PolicySyntaxError: not an expression, longer than 4,096 characters, or nested more than
    24 levels deep; a chain such as `a.b.c` or `1 + 1 + 1` counts one level for each link.
    """
    parsed = _Parser(source).whole()
    for node, depth in tree.walk(parsed):
        if depth > MAX_NESTING:
            raise PolicySyntaxError(_too_deep(), source, node.offset)
    return parsed


def _too_deep() -> str:
    return f"nested deeper than {MAX_NESTING} levels; split the policy"


class _Parser:
    """One pass over the tokens. `depth` bounds the recursion, `parse` the chains."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens = tokens(source)
        self.at = 0
        self.depth = -1

    def whole(self) -> tree.Node:
        parsed = self.expression()
        if self.peek().kind != "end":
            raise self.unexpected(self.peek())
        return parsed

    def peek(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        token = self.tokens[self.at]
        if token.kind != "end":
            self.at += 1
        return token

    def sees(self, op: str) -> bool:
        token = self.peek()
        return token.kind == "op" and token.text == op

    def fault(self, message: str, token: Token) -> PolicySyntaxError:
        return PolicySyntaxError(message, self.source, token.offset)

    def unexpected(self, token: Token, wanted: str = "") -> PolicySyntaxError:
        found = repr(token.text) if token.kind != "end" else "the end"
        if token.text in _WORDS:
            return self.fault(_WORDS[token.text], token)
        message = f"expected {wanted}, found {found}" if wanted else f"unexpected {found}"
        return self.fault(message, token)

    def expect(self, op: str) -> Token:
        token = self.take()
        if token.kind != "op" or token.text != op:
            raise self.unexpected(token, repr(op))
        return token

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.fault(_too_deep(), self.peek())

    def expression(self) -> tree.Node:
        self.deeper()
        found = self.logical("||")
        if self.sees("?"):
            offset = self.take().offset
            then = self.expression()
            self.expect(":")
            found = tree.Conditional(offset, found, then, self.expression())
        self.depth -= 1
        return found

    def logical(self, op: str) -> tree.Node:
        operands = [self.operand_of(op)]
        offset = self.peek().offset
        while self.sees(op):
            self.take()
            operands.append(self.operand_of(op))
        return operands[0] if len(operands) == 1 else tree.Logical(offset, op, tuple(operands))

    def operand_of(self, op: str) -> tree.Node:
        return self.logical("&&") if op == "||" else self.binary(1)

    def binary(self, level: int) -> tree.Node:
        left = self.unary()
        while True:
            token = self.peek()
            binding = _BINDING.get(token.text, 0) if token.kind in {"op", "name"} else 0
            if binding < level:
                return left
            self.take()
            left = tree.Binary(token.offset, token.text, left, self.binary(binding + 1))

    def unary(self) -> tree.Node:
        if not (self.sees("!") or self.sees("-")):
            return self.postfix(self.primary())
        token = self.take()
        if token.text == "-" and self.peek().kind in {"int", "float"}:
            return self.postfix(self.number(self.take(), sign=-1))
        self.deeper()
        found = tree.Unary(token.offset, token.text, self.unary())
        self.depth -= 1
        return found

    def primary(self) -> tree.Node:
        token = self.take()
        match token.kind:
            case "int" | "float":
                return self.number(token, sign=1)
            case "string":
                return tree.Literal(token.offset, text_of(token, self.source))
            case "name":
                return self.named(token)
        if token.text == "(":
            found = self.expression()
            self.expect(")")
            return found
        if token.text == "[":
            return tree.ListOf(token.offset, self.arguments("]"))
        raise self.unexpected(token)

    def named(self, token: Token) -> tree.Node:
        if token.text in _CONSTANTS:
            return tree.Literal(token.offset, _CONSTANTS[token.text])
        if token.text == "in" or token.text in _WORDS:
            raise self.unexpected(token)
        return self.call(None, token) if self.sees("(") else tree.Name(token.offset, token.text)

    def number(self, token: Token, sign: int) -> tree.Literal:
        if token.kind == "int":
            whole = sign * int(token.text)
            if not INT_MIN <= whole <= INT_MAX:
                raise self.fault("this number does not fit in 64 bits", token)
            return tree.Literal(token.offset, whole)
        value = sign * float(token.text)
        if not math.isfinite(value):
            raise self.fault("this number is too large", token)
        return tree.Literal(token.offset, value)

    def arguments(self, end: str) -> tuple[tree.Node, ...]:
        found: list[tree.Node] = []
        while not self.sees(end):
            found.append(self.expression())
            if not self.sees(","):
                break
            self.take()
        self.expect(end)
        return tuple(found)

    def call(self, target: tree.Node | None, name: Token) -> tree.Call:
        self.expect("(")
        args = self.arguments(")")
        if name.text == "size" and target is not None:  # x.size() is size(x)
            return tree.Call(name.offset, "size", None, (target, *args))
        return tree.Call(name.offset, name.text, target, args)

    def postfix(self, found: tree.Node) -> tree.Node:
        while True:
            if self.sees("."):
                self.take()
                name = self.take()
                if name.kind != "name":
                    raise self.unexpected(name, "a field name")
                called = self.sees("(")
                found = (
                    self.call(found, name) if called else tree.Select(name.offset, found, name.text)
                )
            elif self.sees("["):
                offset = self.take().offset
                found = tree.Index(offset, found, self.expression())
                self.expect("]")
            else:
                return found
