package wpconfig

import "calbridge/wpstore/phptoken"

// cursor walks through tokens.
type cursor struct {
	tokens []phptoken.Token
	// closing has, for each opening bracket, the position of its partner, or the end of the
	// file if there is none.
	closing []int
	pos     int
}

func newCursor(tokens []phptoken.Token) *cursor {
	c := &cursor{tokens: tokens, closing: make([]int, len(tokens))}
	var open []int
	for i, t := range tokens {
		c.closing[i] = len(tokens) - 1
		if t.Is("(", "[", "{") {
			open = append(open, i)
		}
		if n := len(open) - 1; n >= 0 && isPair(tokens[open[n]], t) {
			c.closing[open[n]] = i
			open = open[:n]
		}
	}
	return c
}

func isPair(open, closing phptoken.Token) bool {
	return closing.Is(")") && open.Is("(") || closing.Is("]") && open.Is("[") || closing.Is("}") && open.Is("{")
}

func (c *cursor) peek() phptoken.Token { return c.peekAt(0) }

func (c *cursor) peekAt(n int) phptoken.Token { return c.tokens[min(c.pos+n, len(c.tokens)-1)] }

// accept moves past a word or an operator if it is one of these texts.
func (c *cursor) accept(texts ...string) bool {
	if c.peek().Is(texts...) {
		c.pos++
		return true
	}
	return false
}

// enter moves past an opening bracket and returns the position of its partner.
func (c *cursor) enter() (end int) {
	end = c.closing[c.pos]
	c.pos++
	return end
}

// leave moves past a closing bracket.
func (c *cursor) leave(end int) { c.pos = min(end+1, len(c.tokens)-1) }

// skip moves past one token, or past a bracket and its contents.
func (c *cursor) skip() {
	if c.peek().Is("(", "[", "{") {
		c.leave(c.closing[c.pos])
		return
	}
	c.pos++
}

// skipTo moves to the next of these tokens outside of brackets, or to the end.
func (c *cursor) skipTo(texts ...string) {
	for c.peek().Kind != phptoken.EndOfFile && !c.peek().Is(texts...) {
		c.skip()
	}
}
