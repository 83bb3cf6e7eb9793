package wpconfig

import (
	"fmt"

	"calbridge/wpstore/phptoken"
)

// maxDepth limits nesting; real files nest about five deep.
const maxDepth = 100

// parser walks through the statements of a file once, and evaluates their expressions.
type parser struct {
	*cursor
	*findings
	// environment looks up a variable; ok is false if it isn't set.
	environment func(name string) (value string, ok bool)
	// path is the absolute path of the file, "" if it is not known.
	path  string
	depth int
}

// nest enters a statement or an expression, and returns a function that leaves it. If they
// nest too deeply, the rest of the file is not read.
func (p *parser) nest() (leave func()) {
	p.depth++
	if p.depth > maxDepth {
		p.note("is nested too deeply; nothing after it is read", p.peek().Line)
		p.pos = len(p.tokens) - 1
	}
	return func() { p.depth-- }
}

// statements reads the statements before a token.
func (p *parser) statements(end int) {
	for p.pos < end {
		before := p.pos
		p.statement()
		if p.pos == before { // a stray bracket
			p.pos++
		}
	}
}

// statement reads one statement and applies its effects on constants and variables.
func (p *parser) statement() {
	defer p.nest()()
	t := p.peek()
	switch {
	case p.peekAt(1).Is("::"):
		p.expressionStatement()
	case p.accept("if"):
		p.conditional()
	case p.accept("while", "for", "foreach", "switch", "do", "try", "catch", "finally", "else", "elseif"):
		if p.peek().Is("(") {
			p.skip()
		}
		p.branch(maybe, fmt.Sprintf("stands under %q, where it may not run (line %d)", t.Text, t.Line))
		p.accept("endwhile", "endfor", "endforeach", "endswitch")
	case p.accept("case", "default"):
		p.skipTo(":", ";", "}")
		p.accept(":", ";")
	case p.accept("const"):
		p.constants()
	case p.accept("return", "exit", "die", "throw"):
		p.skipTo(";", "}")
		if p.mode == certain { // nothing after it runs
			p.mode = never
		}
	case t.Is("function", "class", "interface", "trait", "abstract", "final", "readonly", "enum"):
		p.skipTo("{", ";", "}")
		if p.peek().Is("{") {
			p.skip()
		}
	case t.Is("namespace", "use", "declare"):
		p.skipTo(";", "{", "}")
	case t.Is("{"):
		end := p.enter()
		p.statements(end)
		p.leave(end)
	default:
		p.expressionStatement()
	}
}

// conditional reads what follows the word if.
func (p *parser) conditional() {
	for taken := never; ; { // initially no branch has run
		doubt := fmt.Sprintf("%s (line %d)", undecided, p.peek().Line)
		m := never - taken
		p.within(m, undecided, func() { m = max(m, runsIf(p.operand(), true)) })
		taken = min(taken, m)
		p.branch(m, doubt)
		if p.accept("elseif") {
			continue
		}
		if p.accept("else") {
			if p.accept("if") {
				continue
			}
			p.branch(never-taken, doubt)
		}
		p.accept("endif")
		return
	}
}

// branch reads the statement that a condition or a loop governs, or the statements after a
// colon.
func (p *parser) branch(m mode, doubt string) {
	p.within(m, doubt, func() {
		if !p.accept(":") {
			p.statement()
			return
		}
		for p.peek().Kind != phptoken.EndOfFile && !p.peek().Is("}", "else", "elseif", "endif", "endwhile", "endfor", "endforeach", "endswitch") {
			p.statement()
		}
	})
}

// constants reads NAME = value, NAME = value;
func (p *parser) constants() {
	for p.peek().Kind == phptoken.Word && p.peekAt(1).Is("=") {
		name := p.peek()
		p.pos += 2
		p.define(result{value: name.Text}, p.expression(0), name.Line)
		if !p.accept(",") {
			break
		}
	}
	p.expressionStatement()
}

// expressionStatement evaluates an expression for its side effects.
func (p *parser) expressionStatement() {
	p.expression(0)
	p.skipTo(";", "}")
	p.accept(";")
}
