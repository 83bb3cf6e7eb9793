package wptext

import (
	"strings"

	"calbridge/wpstore/php"
)

// maxBlockDepth bounds how deep blocks nest. Deeper delimiters still vanish, but
// their blocks are part of the block at this depth. Real content stays below 20.
const maxBlockDepth = 64

// block is a parsed block of the block editor. Text outside any block makes a
// block without name.
type block struct {
	name  string     // with namespace, "" for loose text
	attrs *php.Array // nil when there are none or they are not JSON
	void  bool       // written as a self-closing comment
	parts []blockPart
}

// blockPart is a piece of text or, where inner is set, an inner block.
type blockPart struct {
	text  string
	inner *block
}

func (b *block) attr(name string) php.Value { return b.attrs.At(name) }

// attrIn follows a path of nested attributes.
func (b *block) attrIn(path ...string) php.Value {
	var v php.Value = b.attrs
	for _, name := range path {
		a, _ := v.(*php.Array)
		v = a.At(name)
	}
	return v
}

// text returns the block's own text chunks, without its inner blocks.
func (b *block) text() string {
	if len(b.parts) == 1 {
		return b.parts[0].text
	}
	var sb strings.Builder
	for _, p := range b.parts {
		sb.WriteString(p.text)
	}
	return sb.String()
}

func (b *block) inner() []*block {
	var list []*block
	for _, p := range b.parts {
		if p.inner != nil {
			list = append(list, p.inner)
		}
	}
	return list
}

func (b *block) hasInner() bool {
	for _, p := range b.parts {
		if p.inner != nil {
			return true
		}
	}
	return false
}

func (b *block) addText(s string) {
	if s != "" {
		b.parts = append(b.parts, blockPart{text: s})
	}
}

// parseBlocks splits text into its top-level blocks, loose text included. An
// opening comment without its closing one ends with the text; at a closing
// comment without an opening one parsing stops and the rest is loose text.
// A closing comment closes the innermost open block whatever its name is.
func parseBlocks(s string) []*block {
	root := &block{}
	stack := []*block{root}
	tooDeep := 0
	pos := 0
	scanner := delimiterScanner{s: s}
	for {
		d, ok := scanner.next(pos)
		if !ok {
			break
		}
		top := stack[len(stack)-1]
		if d.closer && !d.void && len(stack) == 1 {
			break
		}
		top.addText(s[pos:d.start])
		pos = d.end
		switch {
		case d.void || !d.closer:
			b := &block{name: d.name, attrs: decodeBlockAttrs(d.attrs), void: d.void}
			if len(stack) > maxBlockDepth {
				if !d.void {
					tooDeep++
				}
				continue
			}
			top.parts = append(top.parts, blockPart{inner: b})
			if !d.void {
				stack = append(stack, b)
			}
		case tooDeep > 0:
			tooDeep--
		default:
			stack = stack[:len(stack)-1]
		}
	}
	stack[len(stack)-1].addText(s[pos:])
	list := make([]*block, 0, len(root.parts))
	for _, p := range root.parts {
		if p.inner == nil {
			p.inner = &block{parts: []blockPart{{text: p.text}}}
		}
		list = append(list, p.inner)
	}
	return list
}

// delimiter is one block comment.
type delimiter struct {
	start, end   int
	name, attrs  string
	closer, void bool
}

// delimiterScanner finds block comments. It remembers where no attributes can
// end any more, which keeps the whole scan linear.
type delimiterScanner struct {
	s         string
	noJSONEnd bool // no "}" that ends attributes follows
}

// next finds the first block comment at or behind from:
// <!-- [/]wp:[namespace/]name [{attributes}] [/]-->.
func (d *delimiterScanner) next(from int) (delimiter, bool) {
	for {
		i := strings.Index(d.s[from:], "<!--")
		if i < 0 {
			return delimiter{}, false
		}
		start := from + i
		if found, ok := d.at(start); ok {
			return found, true
		}
		from = start + 4
	}
}

func (d *delimiterScanner) at(start int) (delimiter, bool) {
	s := d.s
	found := delimiter{start: start}
	p := skipWhite(s, start+4)
	if p == start+4 {
		return found, false
	}
	if p < len(s) && s[p] == '/' {
		found.closer = true
		p++
	}
	if !strings.HasPrefix(s[p:], "wp:") {
		return found, false
	}
	p += 3
	nameStart := p
	p = skipBlockName(s, p)
	if p == nameStart {
		return found, false
	}
	if p < len(s) && s[p] == '/' {
		q := skipBlockName(s, p+1)
		if q == p+1 {
			return found, false
		}
		found.name = s[nameStart:q]
		p = q
	} else {
		found.name = "core/" + s[nameStart:p]
	}
	q := skipWhite(s, p)
	if q == p {
		return found, false
	}
	p = q
	if p < len(s) && s[p] == '{' {
		end, ok := d.jsonEnd(p)
		if !ok {
			return found, false
		}
		found.attrs = s[p:end]
		p = skipWhite(s, end)
	}
	if p < len(s) && s[p] == '/' {
		found.void = true
		p++
	}
	if !strings.HasPrefix(s[p:], "-->") {
		return found, false
	}
	found.end = p + 3
	return found, true
}

// jsonEnd returns the end of the attributes that start at from: behind the first
// "}" that is followed by white space and the end of the comment.
func (d *delimiterScanner) jsonEnd(from int) (int, bool) {
	if d.noJSONEnd {
		return 0, false
	}
	s := d.s
	for p := from; ; p++ {
		i := strings.IndexByte(s[p:], '}')
		if i < 0 {
			d.noJSONEnd = true
			return 0, false
		}
		p += i
		q := skipWhite(s, p+1)
		if q == p+1 {
			continue
		}
		if strings.HasPrefix(s[q:], "-->") || strings.HasPrefix(s[q:], "/-->") {
			return p + 1, true
		}
	}
}

// skipBlockName returns the end of a name [a-z][a-z0-9_-]* at p, or p.
func skipBlockName(s string, p int) int {
	if p >= len(s) || s[p] < 'a' || s[p] > 'z' {
		return p
	}
	for p < len(s) && (s[p] >= 'a' && s[p] <= 'z' || s[p] >= '0' && s[p] <= '9' || s[p] == '_' || s[p] == '-') {
		p++
	}
	return p
}
