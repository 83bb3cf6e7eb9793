package wpconfig

import (
	"fmt"
	"strings"

	"calbridge/wpstore/php"
)

// mode says what the statement at hand is to PHP when it runs the file.
type mode byte

const (
	certain mode = iota // it runs
	maybe               // it runs or not: reading cannot tell
	never               // it does not run
)

// maxDepth bounds nesting; real files nest a handful deep.
const maxDepth = 100

// parser walks through the tokens once.
type parser struct {
	options Options
	tokens  []token
	match   []int // position of the bracket that closes the one here
	pos     int
	depth   int

	mode  mode
	doubt string // why the mode is maybe

	constants, variables map[string]result
	lines                map[string]int
	nameless             []Unreadable
	includes             []int
}

// matchBrackets finds each opening bracket's partner, the end for those without.
func matchBrackets(tokens []token) []int {
	match := make([]int, len(tokens))
	var open []int
	for i, t := range tokens {
		match[i] = len(tokens) - 1
		if t.kind != operator {
			continue
		}
		switch t.text {
		case "(", "[", "#[", "{":
			open = append(open, i)
		case ")", "]", "}":
			partner := map[string]string{")": "(", "]": "[", "}": "{"}[t.text]
			if n := len(open); n > 0 && strings.TrimPrefix(tokens[open[n-1]].text, "#") == partner {
				match[open[n-1]] = i
				open = open[:n-1]
			}
		}
	}
	return match
}

func (p *parser) peek() token { return p.tokens[min(p.pos, len(p.tokens)-1)] }

func (p *parser) peekAt(n int) token { return p.tokens[min(p.pos+n, len(p.tokens)-1)] }

func (p *parser) accept(op string) bool {
	if p.peek().is(op) {
		p.pos++
		return true
	}
	return false
}

func (p *parser) acceptWord(names ...string) bool {
	t := p.peek()
	if t.kind != word {
		return false
	}
	for _, name := range names {
		if strings.EqualFold(t.text, name) {
			p.pos++
			return true
		}
	}
	return false
}

// jump moves past the bracket that closes the one here.
func (p *parser) jump() { p.pos = min(p.match[p.pos]+1, len(p.tokens)-1) }

// giveUp leaves the rest of the file unread.
func (p *parser) giveUp() {
	p.nameless = append(p.nameless, Unreadable{"", p.peek().line, "is nested too deeply; nothing after it is read"})
	p.pos = len(p.tokens) - 1
}

// within runs do in a mode that is at least as doubtful as m.
func (p *parser) within(m mode, doubt string, do func()) {
	was, why := p.mode, p.doubt
	if m > p.mode {
		p.mode = m
		if m == maybe {
			p.doubt = doubt
		}
	}
	do()
	p.mode, p.doubt = was, why
}

func (p *parser) file() {
	for p.peek().kind != endOfFile {
		before := p.pos
		p.statement()
		if p.pos == before { // a stray bracket
			p.pos++
		}
	}
}

// statement reads one statement and does what it does to constants and variables.
func (p *parser) statement() {
	if p.depth++; p.depth > maxDepth {
		p.giveUp()
	}
	defer func() { p.depth-- }()
	t := p.peek()
	switch {
	case t.is("#["):
		p.jump()
		return
	case t.is("{"):
		p.block()
		return
	case t.is(";"):
		p.pos++
		return
	case t.kind != word || p.peekAt(1).is("::"):
		p.expressionStatement()
		return
	}
	switch strings.ToLower(t.text) {
	case "if":
		p.pos++
		p.conditional()
	case "while", "for", "foreach", "switch":
		p.pos++
		p.loop(t)
	case "do", "try", "finally", "catch", "else", "elseif":
		p.pos++
		if p.peek().is("(") {
			p.jump()
		}
		p.within(maybe, fmt.Sprintf("stands in a block that may not run to its end (line %d)", t.line), p.statement)
	case "function", "class", "interface", "trait", "abstract", "final", "readonly", "enum":
		p.declaration()
	case "case", "default":
		for !p.peek().is(":") && !p.peek().is(";") && !p.peek().is("}") && p.peek().kind != endOfFile {
			p.skipOne()
		}
		if !p.peek().is("}") && p.peek().kind != endOfFile {
			p.pos++
		}
	case "const":
		p.pos++
		p.constStatement()
	case "namespace", "use", "declare", "global", "static", "goto", "break", "continue":
		p.skipStatement()
	case "return", "exit", "die", "throw":
		p.skipStatement()
		if p.mode == certain { // nothing after it runs
			p.mode = never
		}
	default:
		p.expressionStatement()
	}
}

// skipOne moves past one token, or past a whole bracket.
func (p *parser) skipOne() {
	if t := p.peek(); t.is("(") || t.is("[") || t.is("{") {
		p.jump()
		return
	}
	p.pos++
}

// skipStatement moves past the next ; or before the bracket that closes the block.
func (p *parser) skipStatement() {
	for {
		t := p.peek()
		switch {
		case t.kind == endOfFile, t.is("}"):
			return
		case t.is(";"):
			p.pos++
			return
		case t.is("{"): // namespace X { … }
			return
		}
		p.skipOne()
	}
}

func (p *parser) block() {
	end := p.match[p.pos]
	p.pos++
	for p.pos < end {
		before := p.pos
		p.statement()
		if p.pos == before {
			p.pos++
		}
	}
	p.pos = min(end+1, len(p.tokens)-1)
}

// conditional reads what follows the word if.
func (p *parser) conditional() {
	taken := never // so far no branch has run
	for {
		line := p.peek().line
		m := p.condition(taken)
		if m == certain || m == maybe && taken == never {
			taken = m
		}
		doubt := fmt.Sprintf("depends on a condition that only PHP can decide (line %d)", line)
		alternative := p.accept(":")
		p.branch(m, doubt, alternative)
		switch {
		case p.acceptWord("elseif"):
			continue
		case p.acceptWord("else"):
			if p.acceptWord("if") {
				continue
			}
			alternative = p.accept(":")
			p.branch(rest(taken), doubt, alternative)
		}
		if alternative && p.acceptWord("endif") {
			p.accept(";")
		}
		return
	}
}

// rest is the mode of a branch after others, of which taken ran.
func rest(taken mode) mode {
	switch taken {
	case certain:
		return never
	case maybe:
		return maybe
	}
	return certain
}

// condition reads the condition of a branch and returns the branch's mode.
func (p *parser) condition(taken mode) mode {
	if !p.peek().is("(") {
		return maybe
	}
	end := p.match[p.pos]
	p.pos++
	var r result
	p.within(rest(taken), "depends on a condition that only PHP can decide", func() { r = p.expression(0) })
	p.pos = min(end+1, len(p.tokens)-1)
	switch {
	case rest(taken) == never:
		return never
	case r.why != "":
		return maybe
	case !php.ToBool(r.value):
		return never
	}
	return rest(taken)
}

func (p *parser) branch(m mode, doubt string, alternative bool) {
	p.within(m, doubt, func() {
		if !alternative {
			p.statement()
			return
		}
		for p.peek().kind != endOfFile {
			if t := p.peek(); t.is("}") || t.kind == word && isBranchEnd(t.text) {
				return
			}
			p.statement()
		}
	})
}

func isBranchEnd(name string) bool {
	switch strings.ToLower(name) {
	case "else", "elseif", "endif", "endwhile", "endfor", "endforeach", "endswitch":
		return true
	}
	return false
}

// loop reads what follows while, for, foreach and switch.
func (p *parser) loop(head token) {
	if p.peek().is("(") {
		p.jump()
	}
	alternative := p.accept(":")
	p.branch(maybe, fmt.Sprintf("stands in a loop or a switch (line %d)", head.line), alternative)
	if alternative && p.acceptWord("endwhile", "endfor", "endforeach", "endswitch") {
		p.accept(";")
	}
}

// declaration skips a function or class; one without a name is an expression.
func (p *parser) declaration() {
	for {
		t := p.peek()
		switch {
		case t.is("{"):
			p.jump()
			return
		case t.is(";"), t.is("}"), t.kind == endOfFile:
			p.accept(";")
			return
		}
		p.skipOne()
	}
}

// constStatement reads NAME = value, NAME = value;
func (p *parser) constStatement() {
	for p.peek().kind == word && p.peekAt(1).is("=") {
		name := p.peek()
		p.pos += 2
		p.define(result{value: name.text}, p.expression(0), name.line)
		if !p.accept(",") {
			break
		}
	}
	p.skipStatement()
}

// expressionStatement evaluates one expression for what it sets.
func (p *parser) expressionStatement() {
	before := p.pos
	p.expression(0)
	if p.pos == before && !p.peek().is("}") {
		p.skipOne()
	}
	for { // what the evaluator did not understand
		t := p.peek()
		switch {
		case t.is(";"):
			p.pos++
			return
		case t.is("}"), t.kind == endOfFile:
			return
		}
		p.skipOne()
	}
}
