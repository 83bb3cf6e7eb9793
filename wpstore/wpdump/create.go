package wpdump

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"calbridge/wpstore/ddl"
)

// parseCreate reads a CREATE TABLE statement as SHOW CREATE TABLE and mysqldump
// write it. Constraints, partitions and comments are left out.
func parseCreate(statement string) (ddl.Table, error) {
	tokens, err := tokenize(statement)
	if err != nil {
		return ddl.Table{}, fmt.Errorf("create table: %w", err)
	}
	p := &parser{tokens: tokens}
	t, err := p.createTable()
	if err != nil {
		return ddl.Table{}, fmt.Errorf("create table %s: %w", t.Name, err)
	}
	return t, nil
}

// token is one word, name, text or sign of a statement.
type token struct {
	kind tokenKind
	text string // names without their quotes; texts as written, quotes included
}

type tokenKind uint8

const (
	end tokenKind = iota
	word
	name // quoted
	literal
	sign
)

// tokenPattern tells tokens apart by its groups: blanks and comments, names, texts,
// words and numbers; anything else is a sign.
var tokenPattern = regexp.MustCompile(`(?s)([ \t-\r]+|/\*.*?\*/|#[^\n]*|-- [^\n]*)` +
	"|(`(?:[^`]|``)*`|\"(?:[^\"]|\"\")*\")" + `|('(?:[^'\\]|\\.|'')*')` + `|([\w$@.\x{80}-\x{10ffff}]+)|/\*|.`)

// tokenize splits a statement, leaving out comments.
func tokenize(s string) ([]token, error) {
	var out []token
	for _, m := range tokenPattern.FindAllStringSubmatch(s, -1) {
		blank, quoted, text, bare := m[1], m[2], m[3], m[4]
		switch {
		case blank != "":
		case quoted != "":
			quote := quoted[:1]
			out = append(out, token{name, strings.ReplaceAll(quoted[1:len(quoted)-1], quote+quote, quote)})
		case text != "":
			out = append(out, token{literal, text})
		case bare != "":
			out = append(out, token{word, bare})
		case slices.Contains([]string{"`", `"`, "'", "/*"}, m[0]):
			return nil, fmt.Errorf("what %s begins does not end", m[0])
		default:
			out = append(out, token{sign, m[0]})
		}
	}
	return out, nil
}

type parser struct {
	tokens []token
	at     int
}

func (p *parser) peek() token {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return token{}
}

func (p *parser) next() token {
	t := p.peek()
	p.at++
	return t
}

// accept takes the next words if they are these.
func (p *parser) accept(words ...string) bool {
	for i, w := range words {
		if p.at+i >= len(p.tokens) {
			return false
		}
		t := p.tokens[p.at+i]
		if t.kind != word && t.kind != sign || !strings.EqualFold(t.text, w) {
			return false
		}
	}
	p.at += len(words)
	return true
}

func (p *parser) name() (string, error) {
	if t := p.next(); t.kind == name || t.kind == word {
		return t.text, nil
	}
	return "", fmt.Errorf("a name was expected at word %d", p.at)
}

func (p *parser) createTable() (t ddl.Table, err error) {
	if !p.accept("create") {
		return t, errors.New("not a CREATE TABLE statement")
	}
	p.accept("temporary")
	if !p.accept("table") {
		return t, errors.New("not a CREATE TABLE statement")
	}
	p.accept("if", "not", "exists")
	if t.Name, err = p.name(); err != nil {
		return t, err
	}
	if p.accept(".") { // after the name of the database
		if t.Name, err = p.name(); err != nil {
			return t, err
		}
	}
	if !p.accept("(") {
		return t, errors.New("a list of columns was expected")
	}
	for {
		if err := p.definition(&t); err != nil {
			return t, err
		}
		p.skipTo(",", ")")
		if !p.accept(",") {
			break
		}
	}
	if !p.accept(")") {
		return t, errors.New("the list of columns does not end")
	}
	p.options(&t)
	if len(t.Columns) == 0 {
		return t, errors.New("no columns")
	}
	return t, nil
}

// skipTo passes everything up to one of the signs on this level of brackets.
func (p *parser) skipTo(stops ...string) {
	depth := 0
	for ; p.at < len(p.tokens); p.at++ {
		t := p.tokens[p.at]
		if t.kind != sign {
			continue
		}
		if depth == 0 && slices.Contains(stops, t.text) {
			return
		}
		switch t.text {
		case "(":
			depth++
		case ")":
			depth--
		}
	}
}

// options reads what follows the columns.
func (p *parser) options(t *ddl.Table) {
	for p.at < len(p.tokens) {
		switch {
		case p.accept("auto_increment"):
			p.accept("=")
			t.NextID, _ = strconv.ParseUint(p.next().text, 10, 64)
		case p.accept("collate"):
			p.accept("=")
			t.Binary = isBinaryCollation(p.next().text)
		default:
			p.at++
		}
	}
}

func isBinaryCollation(name string) bool {
	name = strings.ToLower(name)
	return name == "binary" || strings.HasSuffix(name, "_bin")
}

// definition reads a column or a key.
func (p *parser) definition(t *ddl.Table) error {
	if p.peek().kind == word {
		switch {
		case p.accept("primary", "key"):
			return p.key(t, ddl.Key{Kind: ddl.Primary})
		case p.accept("unique"):
			_ = p.accept("key") || p.accept("index")
			return p.namedKey(t, ddl.Unique)
		case p.accept("key"), p.accept("index"):
			return p.namedKey(t, ddl.Index)
		case p.accept("fulltext"), p.accept("spatial"), p.accept("constraint"), p.accept("foreign"), p.accept("check"), p.accept("period"):
			return nil
		}
	}
	return p.column(t)
}

func (p *parser) namedKey(t *ddl.Table, kind ddl.KeyKind) (err error) {
	k := ddl.Key{Kind: kind}
	if p.peek().text != "(" {
		if k.Name, err = p.name(); err != nil {
			return err
		}
	}
	return p.key(t, k)
}

func (p *parser) key(t *ddl.Table, k ddl.Key) error {
	p.skipTo("(")
	if !p.accept("(") {
		return errors.New("a key without columns")
	}
	for {
		column, err := p.name()
		if err != nil {
			return err
		}
		c := ddl.KeyColumn{Name: column}
		if p.accept("(") {
			c.Prefix, _ = strconv.Atoi(p.next().text)
			p.accept(")")
		}
		k.Columns = append(k.Columns, c)
		p.skipTo(",", ")") // ASC or DESC
		if !p.accept(",") {
			break
		}
	}
	if !p.accept(")") {
		return errors.New("the columns of a key do not end")
	}
	if k.Name == "" && k.Kind != ddl.Primary {
		k.Name = k.Columns[0].Name
	}
	t.Keys = append(t.Keys, k)
	return nil
}

// column reads a name, a type and attributes.
func (p *parser) column(t *ddl.Table) (err error) {
	var c ddl.Column
	if c.Name, err = p.name(); err != nil {
		return err
	}
	if c.Type, err = p.columnType(); err != nil {
		return fmt.Errorf("column %s: %w", c.Name, err)
	}
	for !p.atEndOfColumn() {
		switch {
		case p.accept("not", "null"):
			c.NotNull = true
		case p.accept("auto_increment"):
			c.AutoIncrement = true
		case p.accept("collate"):
			c.Binary = isBinaryCollation(p.next().text)
		case p.accept("binary"):
			c.Binary = true
		case p.accept("default"):
			c.Default = p.expression()
		case p.accept("on", "update"):
			c.TouchOnUpdate = true // it can only follow the clock
			p.expression()
		case p.accept("primary", "key"):
			t.Keys = append(t.Keys, ddl.Key{Kind: ddl.Primary, Columns: []ddl.KeyColumn{{Name: c.Name}}})
		case p.accept("unique"):
			p.accept("key")
			t.Keys = append(t.Keys, ddl.Key{Kind: ddl.Unique, Name: c.Name, Columns: []ddl.KeyColumn{{Name: c.Name}}})
		case p.accept("comment"):
			p.next()
		case p.accept("("):
			p.skipTo(")")
			p.accept(")")
		default:
			p.at++
		}
	}
	t.Columns = append(t.Columns, c)
	return nil
}

func (p *parser) atEndOfColumn() bool {
	t := p.peek()
	return t.kind == end || t.kind == sign && (t.text == "," || t.text == ")")
}

func (p *parser) columnType() (string, error) {
	first := p.next()
	if first.kind != word {
		return "", errors.New("the type is missing")
	}
	text := strings.ToLower(first.text)
	if p.accept("precision") {
		text += " precision"
	}
	if p.accept("(") {
		text += "("
		for p.at < len(p.tokens) && !p.accept(")") {
			text += p.next().text
		}
		text += ")"
	}
	for _, attribute := range []string{"unsigned", "zerofill"} {
		if p.accept(attribute) {
			text += " " + attribute
		}
	}
	return text, nil
}

// expression reads a literal or a call such as current_timestamp(6).
func (p *parser) expression() string {
	text := ""
	for p.peek().kind == sign && (p.peek().text == "-" || p.peek().text == "+") {
		text += p.next().text
	}
	if p.accept("(") {
		start := p.at
		p.skipTo(")")
		for _, t := range p.tokens[start:min(p.at, len(p.tokens))] {
			text += t.text
		}
		p.accept(")")
		return "(" + text + ")"
	}
	first := p.next()
	text += first.text
	if first.kind == word && p.accept("(") {
		text += "("
		for p.at < len(p.tokens) && !p.accept(")") {
			text += p.next().text
		}
		text += ")"
	}
	return text
}
