package wpconfig

import (
	"slices"
	"strings"
)

// cursor walks through tokens.
type cursor struct {
	tokens []token
	match  []int // position of the bracket that closes the one here
	pos    int
}

func newCursor(tokens []token) *cursor {
	return &cursor{tokens: tokens, match: matchBrackets(tokens)}
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

func (c *cursor) peek() token { return c.tokens[min(c.pos, len(c.tokens)-1)] }

func (c *cursor) peekAt(n int) token { return c.tokens[min(c.pos+n, len(c.tokens)-1)] }

func (c *cursor) accept(op string) bool {
	if c.peek().is(op) {
		c.pos++
		return true
	}
	return false
}

func (c *cursor) acceptWord(names ...string) bool {
	t := c.peek()
	if t.kind != word || !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(t.text, name) }) {
		return false
	}
	c.pos++
	return true
}

// jump moves past the bracket that closes the one here.
func (c *cursor) jump() { c.leave(c.match[c.pos]) }

// enter moves past an opening bracket and returns where the one is that closes it.
func (c *cursor) enter() (end int) {
	end = c.match[c.pos]
	c.pos++
	return end
}

// leave moves past a bracket that closes.
func (c *cursor) leave(end int) { c.pos = min(end+1, len(c.tokens)-1) }

// stop leaves the rest of the file unread.
func (c *cursor) stop() { c.pos = len(c.tokens) - 1 }

// skipOne moves past one token, or past a whole bracket.
func (c *cursor) skipOne() {
	if t := c.peek(); t.is("(") || t.is("[") || t.is("{") {
		c.jump()
		return
	}
	c.pos++
}

// skipStatement moves past the next ; or before the bracket that closes the block.
func (c *cursor) skipStatement() {
	for {
		t := c.peek()
		switch {
		case t.kind == endOfFile, t.is("}"):
			return
		case t.is(";"):
			c.pos++
			return
		case t.is("{"): // namespace X { … }
			return
		}
		c.skipOne()
	}
}
