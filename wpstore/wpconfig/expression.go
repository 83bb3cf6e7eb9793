package wpconfig

import (
	"strings"

	"calbridge/wpstore/php"
)

// binding is how strongly the binary operators bind. Assignment and ?: are
// handled apart.
var binding = map[string]int{
	"or": 1, "xor": 2, "and": 3,
	"??": 7, "||": 8, "&&": 9, "|": 10, "^": 11, "&": 12,
	"==": 13, "!=": 13, "===": 13, "!==": 13, "<>": 13, "<=>": 13,
	"<": 14, "<=": 14, ">": 14, ">=": 14,
	".": 15, "<<": 16, ">>": 16, "+": 17, "-": 17, "*": 18, "/": 18, "%": 18,
}

// maxText bounds texts put together, which a hostile file could double forever.
const maxText = 16 << 10

const (
	bindTernary = 6
	bindUnary   = 20
)

// maxDepth bounds nesting; real files nest a handful deep.
const maxDepth = 100

// evaluator works out expressions where the cursor stands, with what they set.
type evaluator struct {
	*cursor
	found   *findings
	options Options
	depth   int
}

// giveUp leaves the rest of the file unread.
func (e *evaluator) giveUp() {
	e.found.nameless = append(e.found.nameless, Unreadable{"", e.peek().line, "is nested too deeply; nothing after it is read"})
	e.stop()
}

// expression evaluates operators that bind at least as strongly as least. It
// stops where it does not understand, with an unknown result.
func (e *evaluator) expression(least int) result {
	e.depth++
	if e.depth > maxDepth {
		e.depth--
		e.giveUp()
		return unknown("is nested too deeply")
	}
	defer func() { e.depth-- }()
	left := e.operand()
	for {
		op := e.peek()
		name := strings.ToLower(op.text)
		if op.kind != operator && op.kind != word {
			return left
		}
		if name == "?" && op.kind == operator && bindTernary >= least {
			e.pos++
			left = e.ternary(left)
			continue
		}
		strength, ok := binding[name]
		if !ok || strength < least {
			return left
		}
		e.pos++
		left = e.binary(name, left, strength)
	}
}

// binary evaluates the right side and joins both.
func (e *evaluator) binary(op string, left result, strength int) result {
	shortcut := certain
	switch op {
	case "&&", "and":
		shortcut = runsIf(left, true)
	case "||", "or":
		shortcut = runsIf(left, false)
	case "??":
		if left.why != "" {
			shortcut = maybe
		} else if left.value != nil {
			shortcut = never
		}
		strength-- // groups to the right
	}
	var right result
	e.found.within(shortcut, "depends on a condition that only PHP can decide", func() { right = e.expression(strength + 1) })
	switch op {
	case "&&", "and":
		return logical(left, right, false)
	case "||", "or":
		return logical(left, right, true)
	case "??":
		if shortcut == certain {
			return right
		}
		return left
	}
	if left.why != "" {
		return left
	}
	if right.why != "" {
		return right
	}
	joined := arithmetic(op, left.value, right.value)
	if op == "." {
		joined.unset = left.unset + right.unset
		if left.unset != "" {
			joined.unset = left.unset
		}
	}
	return joined
}

// runsIf says whether the right side of a logical operator runs, which it does
// when the left side is want.
func runsIf(left result, want bool) mode {
	switch {
	case left.why != "":
		return maybe
	case php.ToBool(left.value) == want:
		return certain
	}
	return never
}

// logical joins two sides of && (decisive false) or || (decisive true).
func logical(left, right result, decisive bool) result {
	for _, side := range []result{left, right} {
		if side.why == "" && php.ToBool(side.value) == decisive {
			return result{value: decisive}
		}
	}
	if left.why != "" {
		return left
	}
	if right.why != "" {
		return right
	}
	return result{value: !decisive}
}

func arithmetic(op string, a, b php.Value) result {
	switch op {
	case "===":
		return result{value: php.Identical(a, b)}
	case "!==":
		return result{value: !php.Identical(a, b)}
	case ".":
		if x, y := php.ToString(a), php.ToString(b); len(x)+len(y) <= maxText {
			return result{value: x + y}
		}
	case "==", "!=", "<>":
		x, isText := a.(string)
		y, bothText := b.(string)
		_, aBool := a.(bool)
		_, bBool := b.(bool)
		switch {
		case aBool || bBool:
			return result{value: (php.ToBool(a) == php.ToBool(b)) == (op == "==")}
		case isText && b == nil || bothText && a == nil:
			return result{value: (x+y == "") == (op == "==")}
		}
		if isText && bothText && !(php.IsNumericString(x) && php.IsNumericString(y)) || php.Identical(a, b) {
			return result{value: php.Identical(a, b) == (op == "==")}
		}
	case "+", "-", "*":
		x, isInt := a.(int64)
		y, bothInt := b.(int64)
		const most = 1 << 31
		if isInt && bothInt && x > -most && x < most && y > -most && y < most {
			switch op {
			case "+":
				return result{value: x + y}
			case "-":
				return result{value: x - y}
			}
			return result{value: x * y}
		}
	}
	return unknown("is computed in a way that is not followed here")
}

// ternary evaluates what follows the question mark.
func (e *evaluator) ternary(condition result) result {
	const doubt = "depends on a condition that only PHP can decide"
	yes, undecided := condition, condition // for ?:
	if !e.peek().is(":") {
		undecided = unknown(doubt)
		e.found.within(runsIf(condition, true), doubt, func() { yes = e.expression(4) })
	}
	if !e.accept(":") {
		return unknown(doubt)
	}
	var no result
	e.found.within(runsIf(condition, false), doubt, func() { no = e.expression(bindTernary + 1) })
	switch {
	case condition.why != "":
		return undecided
	case php.ToBool(condition.value):
		return yes
	}
	return no
}
