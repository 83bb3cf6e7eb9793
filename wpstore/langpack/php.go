package langpack

import (
	"fmt"
	"hash/crc32"
	"iter"
	"strconv"
	"strings"

	"calbridge/wpstore/phptoken"
)

// maxDepth limits nested arrays. Packs nest two deep.
const maxDepth = 10

// ParsePHP parses a .l10n.php file: one return statement of an array whose messages are an
// array of translations by text. All arrays are literals of texts in quotes, such texts
// joined with dots, and integers. The error for anything else has its line and a
// description.
func ParsePHP(data []byte) (*Catalogue, error) {
	if err := checkSize(data); err != nil {
		return nil, err
	}
	next, stop := iter.Pull(phptoken.All(string(data)))
	defer stop()
	p := &phpParser{next: next, catalogue: &Catalogue{messages: map[string]string{}, sum: crc32.ChecksumIEEE(data)}}
	p.advance()
	p.accept(";") // the opening tag
	if !p.accept("return") {
		return nil, p.unexpected("where the file has to return an array")
	}
	if !p.isArray() {
		return nil, p.unexpected("where an array has to be")
	}
	if err := p.array(1, p.file); err != nil {
		return nil, err
	}
	for p.accept(";") {
	}
	if p.token.Kind != phptoken.EndOfFile {
		return nil, p.unexpected("after the array")
	}
	if !p.found {
		return nil, fmt.Errorf("the array has no messages")
	}
	return p.catalogue, nil
}

// phpParser reads one token after the other.
type phpParser struct {
	next      func() (phptoken.Token, bool)
	token     phptoken.Token
	entries   int
	found     bool // whether there was an array of messages
	catalogue *Catalogue
}

// element reads one value of an array. key is "" if it has none.
type element func(depth int, key string) error

func (p *phpParser) advance() { p.token, _ = p.next() }

func (p *phpParser) accept(text string) bool {
	if !p.token.Is(text) {
		return false
	}
	p.advance()
	return true
}

func (p *phpParser) unexpected(where string) error {
	if p.token.Kind == phptoken.EndOfFile {
		return fmt.Errorf("line %d: the file ends %s", p.token.Line, where)
	}
	return fmt.Errorf("line %d: %.40q %s", p.token.Line, p.token.Text, where)
}

func (p *phpParser) isArray() bool { return p.token.Is("array", "[") }

// array reads the elements of an array.
func (p *phpParser) array(depth int, read element) error {
	if depth > maxDepth {
		return p.unexpected("nests arrays too deeply")
	}
	closing := "]"
	if p.accept("array") {
		closing = ")"
		if !p.token.Is("(") {
			return p.unexpected("where an array has to begin")
		}
	}
	p.advance()
	for !p.accept(closing) {
		if p.entries++; p.entries > maxEntries {
			return fmt.Errorf("line %d: the file has more than %d entries", p.token.Line, maxEntries)
		}
		if err := p.element(depth, read); err != nil {
			return err
		}
		if !p.token.Is(",", closing) {
			return p.unexpected("where the next element or the end of the array has to be")
		}
		p.accept(",")
	}
	return nil
}

// element reads a value, or a key and a value.
func (p *phpParser) element(depth int, read element) error {
	if p.isArray() {
		return p.array(depth+1, p.skip)
	}
	key, err := p.scalar()
	if err != nil || !p.accept("=>") {
		return err
	}
	return read(depth, key)
}

// file reads a value of the array that the file returns.
func (p *phpParser) file(depth int, key string) error {
	if key != "messages" {
		return p.skip(depth, key)
	}
	if !p.isArray() {
		return p.unexpected("where the array of messages has to be")
	}
	p.found = true
	return p.array(depth+1, p.message)
}

// message reads a translation.
func (p *phpParser) message(_ int, key string) error {
	translation, err := p.scalar()
	if err == nil {
		p.catalogue.add(key, translation)
	}
	return err
}

// skip reads a value that is not used.
func (p *phpParser) skip(depth int, _ string) error {
	if p.isArray() {
		return p.array(depth+1, p.skip)
	}
	_, err := p.scalar()
	return err
}

// scalar reads texts and integers joined with dots.
func (p *phpParser) scalar() (string, error) {
	text, err := p.operand()
	if err != nil || !p.token.Is(".") {
		return text, err
	}
	joined := new(strings.Builder)
	joined.WriteString(text)
	for p.accept(".") {
		if text, err = p.operand(); err != nil {
			return "", err
		}
		joined.WriteString(text)
	}
	return joined.String(), nil
}

func (p *phpParser) operand() (string, error) {
	const expected = "where a plain text or an integer has to be"
	text, ok := p.token.Quoted()
	if !ok {
		sign := ""
		if p.accept("-") {
			sign = "-"
		}
		n, err := strconv.ParseInt(p.token.Text, 0, 64)
		if p.token.Kind != phptoken.Number || err != nil {
			return "", p.unexpected(expected)
		}
		text = sign + strconv.FormatInt(n, 10)
	}
	p.advance()
	return text, nil
}
