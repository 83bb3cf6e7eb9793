package diff

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"calbridge/compat/jsontree"
)

// Noise is the compiled form of an exchange's noise rules.
type Noise struct {
	body    bool // the whole body is noise
	headers map[string]bool
	values  []jsontree.Path // values that do not count
	// lists are compared regardless of the order of their items, because the ids of
	// their items differed between the two recordings.
	lists []jsontree.Path
}

// CompileNoise compiles the noise rules of an exchange. It ignores rules about table
// rows, which belong to write cases.
func CompileNoise(rules []string) (*Noise, error) {
	n := &Noise{headers: map[string]bool{}}
	for _, rule := range rules {
		header, isHeader := strings.CutPrefix(rule, "headers.")
		switch {
		case rule == "body" || rule == "$":
			n.body = true
		case isHeader:
			n.headers[strings.ToLower(header)] = true
		case strings.HasPrefix(rule, "rows."):
		case strings.HasPrefix(rule, "$"):
			path, err := jsontree.ParsePath(rule)
			if err != nil {
				return nil, fmt.Errorf("noise rule: %w", err)
			}
			if k := len(path); k >= 2 && path[k-2].IsIndex && path[k-1].Name == "id" {
				n.lists = append(n.lists, path[:k-2])
			} else {
				n.values = append(n.values, path)
			}
		default:
			return nil, fmt.Errorf("unknown noise rule %q", rule)
		}
	}
	// Values that moved because the list's order changed need no rule of their own.
	n.values = slices.DeleteFunc(n.values, func(path jsontree.Path) bool {
		return slices.ContainsFunc(n.lists, func(list jsontree.Path) bool {
			return len(path) > len(list) && path[len(list)].IsIndex && list.Matches(path[:len(list)])
		})
	})
	return n, nil
}

// IgnoresBody reports whether the whole body does not count.
func (n *Noise) IgnoresBody() bool { return n.body }

// IgnoresHeader reports whether a header, named in lower case, does not count.
func (n *Noise) IgnoresHeader(name string) bool { return n.headers[name] }

// unordered reports whether the order of the list at path does not count.
func (n *Noise) unordered(path jsontree.Path) bool { return anyMatches(n.lists, path) }

func (n *Noise) ignored(path jsontree.Path) bool { return anyMatches(n.values, path) }

func anyMatches(patterns []jsontree.Path, path jsontree.Path) bool {
	return slices.ContainsFunc(patterns, func(pattern jsontree.Path) bool { return pattern.Matches(path) })
}

// obfuscatedEmail reports whether the reference writes the value at path with
// randomly chosen character references: the e-mail address of an organizer in
// JSON-LD, its own or that of an event.
func obfuscatedEmail(path jsontree.Path) bool {
	return path.EndsWith("json_ld", "email") || path.EndsWith("json_ld", "organizer", "email")
}

// decodeEmail undoes the obfuscation of an address. The reference encodes some bytes
// and leaves others, so half of a character outside ASCII may stay literal. That is not
// valid UTF-8, and the reference shows it as a question mark. Every run of such bytes
// becomes one question mark.
func decodeEmail(s string) string {
	var out []byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		if ref, rest, ok := strings.Cut(s[i:], ";"); ok && strings.HasPrefix(ref, "&#") {
			digits, base := ref[2:], 10
			if hex, ok := strings.CutPrefix(digits, "x"); ok {
				digits, base = hex, 16
			}
			if n, err := strconv.ParseUint(digits, base, 8); err == nil {
				c, i = byte(n), len(s)-len(rest)-1
			}
		}
		if c >= 0x80 {
			c = '?'
		}
		if c != '?' || len(out) == 0 || out[len(out)-1] != '?' {
			out = append(out, c)
		}
	}
	return string(out)
}

// canonical writes a value in a form that is equal for answers that differ only in
// noise: noisy values become a placeholder, obfuscated addresses are decoded, unordered
// lists are sorted. All other bytes stay, white space included.
func (n *Noise) canonical(node *jsontree.Node, path jsontree.Path) string {
	inJSONLD := slices.ContainsFunc(path, func(step jsontree.Step) bool { return step.Name == "json_ld" })
	switch {
	case len(n.values)+len(n.lists) == 0 && !inJSONLD && !strings.Contains(node.Raw(), "json_ld"):
		return node.Raw()
	case node.Kind == jsontree.String && obfuscatedEmail(path):
		return strconv.Quote(decodeEmail(node.Text()))
	case n.ignored(path):
		return `"~noise~"`
	case len(node.Items) == 0:
		return node.Raw()
	}
	texts := make([]string, len(node.Items))
	for i, item := range node.Items {
		texts[i] = n.canonical(item, node.Step(path, i))
	}
	if node.Kind == jsontree.Array && n.unordered(path) {
		slices.Sort(texts)
	}
	return node.With(texts, nil)
}
