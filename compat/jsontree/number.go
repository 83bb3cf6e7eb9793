package jsontree

import (
	"encoding/json"
	"math/big"
	"strings"
)

// Number parses a number, or a text with a number, which is common on PHP sites.
func (n *Node) Number() (*big.Rat, bool) {
	return Rational(n.Plain())
}

// SameValue reports whether two texts, numbers or words have the same value, however
// they are spelt.
func SameValue(want, got *Node) bool {
	if want.Kind != got.Kind {
		return false
	}
	switch want.Kind {
	case String:
		return want.Text() == got.Text()
	case Number:
		x, okX := want.Number()
		y, okY := got.Number()
		if okX && okY {
			return x.Cmp(y) == 0
		}
	}
	return want.Raw() == got.Raw()
}

// Rational parses a JSON number, unless its exact value would take much memory.
func Rational(text string) (*big.Rat, bool) {
	if _, exponent, found := strings.Cut(strings.ToLower(text), "e"); found && len(strings.TrimLeft(exponent, "+-0")) > 3 {
		return nil, false
	}
	if len(text) > 1000 || !json.Valid([]byte(text)) {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
