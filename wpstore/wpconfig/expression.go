package wpconfig

import (
	"cmp"
	"slices"
	"strings"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phptoken"
)

// levels are PHP's binary operators by precedence. The last level is not computed: no
// setting that is read needs it.
var levels = [][]string{
	{"or"}, {"and"}, {assignment}, {ternary}, {"??"}, {"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!=", "<>", "===", "!=="}, {"."},
	{"xor", "<", "<=", ">", ">=", "<=>", "<<", ">>", "+", "-", "*", "/", "%", "**", "instanceof"},
}

const (
	assignment = "="
	ternary    = "?"

	undecided = "depends on a condition that only PHP can decide"
	computed  = "is computed in a way that is not followed"

	// maxText limits joined texts, which a hostile file could double without end.
	maxText = 16 << 10
)

// level returns the precedence of an operator; 0 if it isn't one.
func level(operator string) int {
	return 1 + slices.IndexFunc(levels, func(l []string) bool { return slices.Contains(l, operator) })
}

// expression evaluates operators with a precedence of at least least. It stops at anything
// that it doesn't understand.
func (p *parser) expression(least int) result {
	defer p.nest()()
	left := p.operand()
	for {
		t := p.peek()
		if t.Kind != phptoken.Operator && t.Kind != phptoken.Word {
			return left
		}
		op := strings.ToLower(t.Text)
		strength := level(op)
		if strength == 0 || strength < least {
			return left
		}
		p.pos++
		if op == ternary {
			left = p.ternary(left)
			continue
		}
		left = p.binary(op, left, strength)
	}
}

// binary evaluates the right side of an operator and joins both sides.
func (p *parser) binary(op string, left result, strength int) result {
	runs := certain
	switch op {
	case "&&", "and":
		runs = runsIf(left, true)
	case "||", "or":
		runs = runsIf(left, false)
	case "??":
		strength-- // right-associative
		if left.why != "" {
			runs = maybe
		} else if left.value != nil {
			runs = never
		}
	}
	var right result
	p.within(runs, undecided, func() { right = p.expression(strength + 1) })
	switch {
	case op == "&&" || op == "and":
		return logical(left, right, false)
	case op == "||" || op == "or":
		return logical(left, right, true)
	case op == "??" && runs != certain, left.why != "":
		return left
	case op == "??", right.why != "":
		return right
	}
	joined := compute(op, left.value, right.value)
	if op == "." {
		joined.unset = cmp.Or(left.unset, right.unset)
	}
	return joined
}

// runsIf returns the mode of code that runs if a condition has the value want.
func runsIf(condition result, want bool) mode {
	switch {
	case condition.why != "":
		return maybe
	case php.ToBool(condition.value) == want:
		return certain
	}
	return never
}

// logical joins two sides of && (decisive is false) or || (decisive is true).
func logical(left, right result, decisive bool) result {
	switch {
	case runsIf(left, decisive) == certain || runsIf(right, decisive) == certain:
		return result{value: decisive}
	case left.why != "":
		return left
	case right.why != "":
		return right
	}
	return result{value: !decisive}
}

// ternary evaluates what follows the question mark.
func (p *parser) ternary(condition result) result {
	yes, doubtful := condition, condition // for ?:
	runs := runsIf(condition, true)
	if !p.peek().Is(":") {
		doubtful = unknown(undecided)
		p.within(runs, undecided, func() { yes = p.expression(level(assignment)) })
	}
	if !p.accept(":") {
		return unknown(undecided)
	}
	var no result
	p.within(runsIf(condition, false), undecided, func() { no = p.expression(level(ternary) + 1) })
	switch runs {
	case certain:
		return yes
	case never:
		return no
	}
	return doubtful
}

// bitwise joins two integers.
func bitwise(op string, a, b php.Value) result {
	x, ok := a.(int64)
	y, both := b.(int64)
	switch {
	case !ok || !both:
		return unknown(computed)
	case op == "|":
		return result{value: x | y}
	case op == "^":
		return result{value: x ^ y}
	}
	return result{value: x & y}
}

// compute joins two known values.
func compute(op string, a, b php.Value) result {
	x, isText := a.(string)
	y, bothText := b.(string)
	_, isBool := a.(bool)
	_, otherBool := b.(bool)
	var equal bool
	switch {
	case op == ".":
		if x, y := php.ToString(a), php.ToString(b); len(x)+len(y) <= maxText {
			return result{value: x + y}
		}
		return unknown(computed)
	case slices.Contains([]string{"|", "^", "&"}, op):
		return bitwise(op, a, b)
	case op == "===" || op == "!==":
		equal = php.Identical(a, b)
	case !slices.Contains([]string{"==", "!=", "<>"}, op):
		return unknown(computed)
	case isBool || otherBool:
		equal = php.ToBool(a) == php.ToBool(b)
	case isText && bothText:
		equal = php.EqualTexts(x, y)
	default: // numbers
		return unknown(computed)
	}
	return result{value: equal == strings.HasPrefix(op, "=")}
}
