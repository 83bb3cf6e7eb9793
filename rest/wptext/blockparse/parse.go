package blockparse

import (
	"slices"
	"strings"

	"calbridge/rest/wptext/markup"
	"calbridge/wpstore/php"
)

// maxDepth bounds how deep blocks nest. Deeper comments still vanish, but their blocks
// are part of the block at this depth. Real content stays below 20.
const maxDepth = 64

// Block is a parsed block of the block editor. Text outside any block makes a
// block without name.
type Block struct {
	Name  string     // with namespace, "" for loose text
	Attrs *php.Array // nil without valid ones
	Void  bool       // written as a self-closing comment
	Parts []Part
}

// Part is a piece of text or, where Inner is set, an inner block.
type Part struct {
	Text  string
	Inner *Block
}

func (b *Block) Attr(name string) php.Value { return b.Attrs.At(name) }

// AttrIn follows a path of nested attributes.
func (b *Block) AttrIn(path ...string) php.Value { return In(b.Attrs, path...) }

// In follows a path of names through nested arrays; nil where it ends early.
func In(v php.Value, path ...string) php.Value {
	for _, name := range path {
		a, _ := v.(*php.Array)
		v = a.At(name)
	}
	return v
}

// Text returns the block's own text chunks, without its inner blocks.
func (b *Block) Text() string {
	if len(b.Parts) == 1 {
		return b.Parts[0].Text
	}
	var sb strings.Builder
	for _, p := range b.Parts {
		sb.WriteString(p.Text)
	}
	return sb.String()
}

func (b *Block) Inner() []*Block {
	var list []*Block
	for _, p := range b.Parts {
		if p.Inner != nil {
			list = append(list, p.Inner)
		}
	}
	return list
}

func (b *Block) HasInner() bool {
	return slices.ContainsFunc(b.Parts, func(p Part) bool { return p.Inner != nil })
}

func (b *Block) addText(s string) {
	if s != "" {
		b.Parts = append(b.Parts, Part{Text: s})
	}
}

// HasBlocks reports whether a content is one of the block editor, as WordPress decides it.
func HasBlocks(content string) bool { return strings.Contains(content, "<!-- wp:") }

// Parse splits text into its top-level blocks, loose text included. An unclosed block ends
// with the text; behind a closing comment without an
// opening one everything is loose text. A closing comment closes the innermost open
// block, whatever its name.
func Parse(s string) []*Block {
	root := &Block{}
	stack := []*Block{root}
	tooDeep := 0
	pos := 0
	scanner := Scanner{S: s}
	for {
		d, ok := scanner.Next(pos)
		if !ok {
			break
		}
		top := stack[len(stack)-1]
		if d.Closer && !d.Void && len(stack) == 1 {
			break
		}
		top.addText(s[pos:d.Start])
		pos = d.End
		switch {
		case d.Void || !d.Closer:
			b := &Block{Name: d.Name, Attrs: DecodeAttrs(d.Attrs), Void: d.Void}
			if len(stack) > maxDepth {
				if !d.Void {
					tooDeep++
				}
				continue
			}
			top.Parts = append(top.Parts, Part{Inner: b})
			if !d.Void {
				stack = append(stack, b)
			}
		case tooDeep > 0:
			tooDeep--
		default:
			stack = stack[:len(stack)-1]
		}
	}
	stack[len(stack)-1].addText(s[pos:])
	list := make([]*Block, 0, len(root.Parts))
	for _, p := range root.Parts {
		if p.Inner == nil {
			p.Inner = &Block{Parts: []Part{{Text: p.Text}}}
		}
		list = append(list, p.Inner)
	}
	return list
}

// Delimiter is one block comment.
type Delimiter struct {
	Start, End   int
	Name, Attrs  string
	Closer, Void bool
}

// Scanner finds block comments. It remembers when no attributes can end any more,
// which makes the whole scan linear.
type Scanner struct {
	S         string
	noJSONEnd bool // no "}" that ends attributes follows
}

// Next finds the first block comment at or behind from:
// <!-- [/]wp:[namespace/]name [{attributes}] [/]-->.
func (d *Scanner) Next(from int) (Delimiter, bool) {
	for {
		i := strings.Index(d.S[from:], "<!--")
		if i < 0 {
			return Delimiter{}, false
		}
		start := from + i
		if found, ok := d.at(start); ok {
			return found, true
		}
		from = start + 4
	}
}

func (d *Scanner) at(start int) (Delimiter, bool) {
	s := d.S
	found := Delimiter{Start: start}
	p := markup.SkipWhite(s, start+4)
	if p == start+4 {
		return found, false
	}
	if p < len(s) && s[p] == '/' {
		found.Closer = true
		p++
	}
	if !strings.HasPrefix(s[p:], "wp:") {
		return found, false
	}
	p += 3
	nameStart := p
	p = skipName(s, p)
	if p == nameStart {
		return found, false
	}
	if p < len(s) && s[p] == '/' {
		q := skipName(s, p+1)
		if q == p+1 {
			return found, false
		}
		found.Name = s[nameStart:q]
		p = q
	} else {
		found.Name = "core/" + s[nameStart:p]
	}
	q := markup.SkipWhite(s, p)
	if q == p {
		return found, false
	}
	p = q
	if p < len(s) && s[p] == '{' {
		end, ok := d.jsonEnd(p)
		if !ok {
			return found, false
		}
		found.Attrs = s[p:end]
		p = markup.SkipWhite(s, end)
	}
	if p < len(s) && s[p] == '/' {
		found.Void = true
		p++
	}
	if !strings.HasPrefix(s[p:], "-->") {
		return found, false
	}
	found.End = p + 3
	return found, true
}

// jsonEnd returns the end of the attributes that start at from: behind the first
// "}" that is followed by white space and the end of the comment.
func (d *Scanner) jsonEnd(from int) (int, bool) {
	if d.noJSONEnd {
		return 0, false
	}
	s := d.S
	for p := from; ; p++ {
		i := strings.IndexByte(s[p:], '}')
		if i < 0 {
			d.noJSONEnd = true
			return 0, false
		}
		p += i
		q := markup.SkipWhite(s, p+1)
		if q == p+1 {
			continue
		}
		if strings.HasPrefix(s[q:], "-->") || strings.HasPrefix(s[q:], "/-->") {
			return p + 1, true
		}
	}
}

// skipName returns the end of a name [a-z][a-z0-9_-]* at p, or p.
func skipName(s string, p int) int {
	if p >= len(s) || s[p] < 'a' || s[p] > 'z' {
		return p
	}
	for p < len(s) && (s[p] >= 'a' && s[p] <= 'z' || s[p] >= '0' && s[p] <= '9' || s[p] == '_' || s[p] == '-') {
		p++
	}
	return p
}
