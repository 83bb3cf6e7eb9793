package compat

import (
	"encoding/json"
	"math/big"
	"strings"
)

// number reads a number, or a text that is one, as PHP sites often have them.
func (n *jsonNode) number() (*big.Rat, bool) {
	if n.kind == jsonString {
		return rational(n.text())
	}
	return rational(n.raw())
}

func sameValue(want, got *jsonNode) bool {
	if want.kind != got.kind {
		return false
	}
	switch want.kind {
	case jsonString:
		return want.text() == got.text()
	case jsonNumber:
		return sameNumber(want.raw(), got.raw())
	}
	return want.raw() == got.raw()
}

// sameNumber compares numbers exactly, as long as their exponents are sane.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := rational(a)
	y, okY := rational(b)
	return okX && okY && x.Cmp(y) == 0
}

// rational reads a JSON number. Numbers whose exact value would take much room
// are not read.
func rational(text string) (*big.Rat, bool) {
	if _, exponent, found := strings.Cut(strings.ToLower(text), "e"); found && len(strings.TrimLeft(exponent, "+-0")) > 3 {
		return nil, false
	}
	if len(text) > 1000 || !json.Valid([]byte(text)) {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
