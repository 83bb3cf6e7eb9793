package jsontree

import (
	"encoding/json"
	"math/big"
	"strings"
)

// Number reads a number, or a text that is one, as PHP sites often have them.
func (n *Node) Number() (*big.Rat, bool) {
	if n.Kind == String {
		return Rational(n.Text())
	}
	return Rational(n.Raw())
}

// SameValue reports whether two texts, numbers or words mean the same, however they
// are spelt.
func SameValue(want, got *Node) bool {
	if want.Kind != got.Kind {
		return false
	}
	switch want.Kind {
	case String:
		return want.Text() == got.Text()
	case Number:
		return sameNumber(want.Raw(), got.Raw())
	}
	return want.Raw() == got.Raw()
}

// sameNumber compares numbers exactly, as long as their exponents are sane.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := Rational(a)
	y, okY := Rational(b)
	return okX && okY && x.Cmp(y) == 0
}

// Rational reads a JSON number. Numbers whose exact value would take much room
// are not read.
func Rational(text string) (*big.Rat, bool) {
	if _, exponent, found := strings.Cut(strings.ToLower(text), "e"); found && len(strings.TrimLeft(exponent, "+-0")) > 3 {
		return nil, false
	}
	if len(text) > 1000 || !json.Valid([]byte(text)) {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
