package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
	"unicode/utf8"
)

// operand is a literal, or the negation or sum that contains it and has its type.
type operand struct{ literal, of ast.Expr }

// operands returns the literals of an element's key and value.
func operands(e ast.Expr) []operand {
	var of func(whole, e ast.Expr) []operand
	of = func(whole, e ast.Expr) []operand {
		switch e := e.(type) {
		case *ast.UnaryExpr:
			return of(whole, e.X)
		case *ast.BinaryExpr:
			if e.Op == token.ADD {
				return append(of(whole, e.X), of(whole, e.Y)...)
			}
		case *ast.BasicLit, *ast.Ident:
			return []operand{{e, whole}}
		}
		return nil
	}
	if pair, ok := e.(*ast.KeyValueExpr); ok {
		return append(of(pair.Key, pair.Key), of(pair.Value, pair.Value)...)
	}
	return of(e, e)
}

// elements returns the literals of a table: the elements of a composite literal, the
// arguments of a call, the value of a variable or constant.
func elements(node ast.Node) []ast.Expr {
	switch node := node.(type) {
	case *ast.CompositeLit:
		return node.Elts
	case *ast.CallExpr:
		return node.Args
	case *ast.ValueSpec:
		return node.Values
	}
	return nil
}

// edit replaces from, at an offset of a literal, with to.
type edit struct {
	start    int
	from, to string
}

// others returns the edits that change the value of a literal, and none for other text.
func others(e ast.Expr) []edit {
	switch e := e.(type) {
	case *ast.Ident:
		switch e.Name {
		case "true":
			return []edit{{0, e.Name, "false"}}
		case "false":
			return []edit{{0, e.Name, "true"}}
		}
	case *ast.BasicLit:
		switch e.Kind {
		case token.STRING:
			return otherStrings(e.Value)
		case token.INT:
			return []edit{{0, e.Value, e.Value + "+1"}}
		case token.CHAR:
			return []edit{{0, e.Value, "1+" + e.Value}}
		}
	}
	return nil
}

// otherStrings changes each word of a string as written, or each letter beyond ASCII.
func otherStrings(literal string) (edits []edit) {
	inner := literal[1 : len(literal)-1]
	if utf8.RuneCountInString(inner) > 1 && strings.IndexFunc(inner, func(r rune) bool { return r < utf8.RuneSelf }) < 0 {
		for i, r := range inner {
			edits = append(edits, edit{1 + i, string(r), "q"})
		}
		return edits
	}
	for _, word := range word.FindAllStringIndex(inner, -1) {
		from := inner[word[0]:word[1]]
		edits = append(edits, edit{1 + word[0], from, from + another(from)})
	}
	if edits == nil {
		edits = []edit{{1, inner, inner + another(inner)}}
	}
	return edits
}

var word = regexp.MustCompile(`\S+`)

// another returns a letter that is not in s, so that a set of letters changes too.
func another(s string) string {
	if strings.Contains(s, "q") {
		return "!"
	}
	return "q"
}
