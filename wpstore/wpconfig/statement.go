package wpconfig

import (
	"fmt"
	"strings"

	"calbridge/wpstore/php"
)

// parser walks through the statements of a file once.
type parser struct {
	*cursor
	found *findings
	eval  *evaluator
}

// file reads all statements.
func (p *parser) file() { p.statements(len(p.tokens) - 1) }

// statements reads those before a token.
func (p *parser) statements(end int) {
	for p.pos < end {
		before := p.pos
		p.statement()
		if p.pos == before { // a stray bracket
			p.pos++
		}
	}
}

// statement reads one statement and does what it does to constants and variables.
func (p *parser) statement() {
	p.eval.depth++
	if p.eval.depth > maxDepth {
		p.eval.giveUp()
	}
	defer func() { p.eval.depth-- }()
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
		p.found.within(maybe, fmt.Sprintf("stands in a block that may not run to its end (line %d)", t.line), p.statement)
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
		if p.found.mode == certain { // nothing after it runs
			p.found.mode = never
		}
	default:
		p.expressionStatement()
	}
}

func (p *parser) block() {
	end := p.enter()
	p.statements(end)
	p.leave(end)
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
	end := p.enter()
	var r result
	p.found.within(rest(taken), "depends on a condition that only PHP can decide", func() { r = p.eval.expression(0) })
	p.leave(end)
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
	p.found.within(m, doubt, func() {
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
		p.found.define(result{value: name.text}, p.eval.expression(0), name.line)
		if !p.accept(",") {
			break
		}
	}
	p.skipStatement()
}

// expressionStatement evaluates one expression for what it sets.
func (p *parser) expressionStatement() {
	before := p.pos
	p.eval.expression(0)
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
