package phpdate

import "strings"

// A pattern is a sequence of nodes. Matching tries the alternatives of each
// node and keeps the furthest end, because PHP's scanner takes the longest
// token. Every node consumes input from left to right and has at most a
// handful of alternatives, so a match costs a small multiple of its length.
type pattern []node

type nodeKind uint8

const (
	numberNode  nodeKind = iota // digits whose count and value are bounded
	literalNode                 // exact text
	foldNode                    // text in any ASCII case, given in lower case
	wordNode                    // one of a list of words, in any ASCII case
	classNode                   // a run of bytes of a set, taken greedily
	placeNode                   // words joined by "/", "_" or "-": Europe/Prague
	optionNode                  // the next skip nodes may be absent
)

type node struct {
	kind     nodeKind
	text     string   // literalNode, foldNode; the byte set of classNode
	words    []string // wordNode, in lower case
	capitals []string // wordNode, words that match as written
	min, max int      // digits of numberNode; length of classNode, max 0 is unbounded
	low, top int      // value of numberNode; top 0 leaves it unbounded
	skip     int      // optionNode
}

// digits matches between least and most digits of any value.
func digits(least, most int) pattern {
	return pattern{{kind: numberNode, min: least, max: most}}
}

// number matches between least and most digits whose value lies in low..top.
func number(least, most, low, top int) pattern {
	return pattern{{kind: numberNode, min: least, max: most, low: low, top: top}}
}

// exact matches text as written.
func exact(text string) pattern { return pattern{{kind: literalNode, text: text}} }

// fold matches text, which is in lower case, in any case of the input.
func fold(text string) pattern { return pattern{{kind: foldNode, text: text}} }

// oneOf matches any word of the list, which is in lower case.
func oneOf(words []string) pattern { return pattern{{kind: wordNode, words: words}} }

// run matches bytes of set, at least least and, unless most is 0, at most most.
func run(set string, least, most int) pattern {
	return pattern{{kind: classNode, text: set, min: least, max: most}}
}

// maybe makes a pattern optional.
func maybe(parts ...pattern) pattern {
	inner := seq(parts...)
	return append(pattern{{kind: optionNode, skip: len(inner)}}, inner...)
}

// seq joins patterns.
func seq(parts ...pattern) pattern {
	var joined pattern
	for _, p := range parts {
		joined = append(joined, p...)
	}
	return joined
}

// longest returns the furthest end of a match of p in s from i on, or -1.
func (p pattern) longest(s string, i int) int {
	for len(p) > 0 {
		n := &p[0]
		rest := p[1:]
		switch n.kind {
		case literalNode:
			if len(s)-i < len(n.text) || s[i:i+len(n.text)] != n.text {
				return -1
			}
			i += len(n.text)
		case foldNode:
			if !hasPrefixFold(s, i, n.text) {
				return -1
			}
			i += len(n.text)
		case classNode:
			end := n.classEnd(s, i)
			if end < 0 {
				return -1
			}
			i = end
		case numberNode:
			return n.longestNumber(rest, s, i)
		case wordNode:
			best := -1
			for _, w := range n.words {
				if hasPrefixFold(s, i, w) {
					best = max(best, rest.longest(s, i+len(w)))
				}
			}
			for _, w := range n.capitals {
				if strings.HasPrefix(s[i:], w) {
					best = max(best, rest.longest(s, i+len(w)))
				}
			}
			return best
		case placeNode:
			i = placeEnd(s, i)
			if i < 0 {
				return -1
			}
		case optionNode:
			return max(rest.longest(s, i), rest[n.skip:].longest(s, i))
		}
		p = rest
	}
	return i
}

// classEnd returns where the run of the node's bytes ends, or -1 if it is too short.
func (n *node) classEnd(s string, i int) int {
	end := i
	for end < len(s) && (n.max == 0 || end-i < n.max) && inSet(n.text, s[end]) {
		end++
	}
	if end-i < n.min {
		return -1
	}
	return end
}

// longestNumber tries every permitted count of digits in front of rest.
func (n *node) longestNumber(rest pattern, s string, i int) int {
	best, value := -1, 0
	for k := 0; k < n.max && i+k < len(s) && isDigit(s[i+k]); k++ {
		if n.top > 0 {
			value = value*10 + int(s[i+k]-'0')
			if value > n.top {
				break
			}
		}
		if k+1 >= n.min && value >= n.low {
			best = max(best, rest.longest(s, i+k+1))
		}
	}
	return best
}

// placeEnd returns where an identifier ends, or -1: a capital and small letters,
// then letters after each "/", "_" or "-", at least once.
func placeEnd(s string, i int) int {
	end := i + 1
	for end < len(s) && 'a' <= s[end] && s[end] <= 'z' {
		end++
	}
	if end < i+2 || s[i] < 'A' || s[i] > 'Z' {
		return -1
	}
	first := end
	for end+1 < len(s) && inSet("/_-", s[end]) && isLetter(s[end+1]) {
		for end++; end < len(s) && isLetter(s[end]); end++ {
		}
	}
	if end == first {
		return -1
	}
	return end
}

func inSet(set string, c byte) bool { return strings.IndexByte(set, c) >= 0 }

// hasPrefixFold reports whether s continues at i with word, which is in lower case.
func hasPrefixFold(s string, i int, word string) bool {
	if len(s)-i < len(word) {
		return false
	}
	for k := 0; k < len(word); k++ {
		if lower(s[i+k]) != word[k] {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { c = lower(c); return 'a' <= c && c <= 'z' }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
