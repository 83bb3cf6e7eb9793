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
	// lists are compared without regard to the order of their items: those of
	// whose items the id was seen to move.
	lists []jsontree.Path
}

// CompileNoise reads the rules of an exchange. Rules about table rows belong to
// write cases and are passed over.
func CompileNoise(rules []string) (*Noise, error) {
	n := &Noise{headers: map[string]bool{}}
	for _, rule := range rules {
		switch {
		case rule == "body" || rule == "$":
			n.body = true
		case strings.HasPrefix(rule, "headers."):
			n.headers[strings.ToLower(strings.TrimPrefix(rule, "headers."))] = true
		case strings.HasPrefix(rule, "rows."):
		case strings.HasPrefix(rule, "$"):
			path, err := jsontree.ParsePath(rule)
			if err != nil {
				return nil, fmt.Errorf("noise rule: %w", err)
			}
			n.addValue(path)
		default:
			return nil, fmt.Errorf("unknown noise rule %q", rule)
		}
	}
	// What else moved together with the order of a list says nothing more.
	n.values = slices.DeleteFunc(n.values, n.insideList)
	return n, nil
}

func (n *Noise) addValue(path jsontree.Path) {
	if k := len(path); k >= 2 && path[k-2].IsIndex && path[k-1].Name == "id" {
		list := slices.Clone(path[:k-2])
		if !slices.ContainsFunc(n.lists, list.Matches) {
			n.lists = append(n.lists, list)
		}
		return
	}
	n.values = append(n.values, path)
}

func (n *Noise) insideList(path jsontree.Path) bool {
	return slices.ContainsFunc(n.lists, func(list jsontree.Path) bool {
		return len(path) > len(list) && path[len(list)].IsIndex && list.Matches(path[:len(list)])
	})
}

// IgnoresBody reports whether the whole body does not count.
func (n *Noise) IgnoresBody() bool { return n.body }

// IgnoresHeader reports whether a header, named in lower case, does not count.
func (n *Noise) IgnoresHeader(name string) bool { return n.headers[name] }

func (n *Noise) unordered(path jsontree.Path) bool {
	return slices.ContainsFunc(n.lists, func(list jsontree.Path) bool { return list.Matches(path) })
}

func (n *Noise) ignored(path jsontree.Path) bool {
	return slices.ContainsFunc(n.values, func(value jsontree.Path) bool { return value.Matches(path) })
}

// obfuscatedEmail reports whether the reference writes the value at path with
// randomly chosen character references: the e-mail address of an organizer in
// JSON-LD, its own or that of an event.
func obfuscatedEmail(path jsontree.Path) bool {
	return path.EndsWith("json_ld", "email") || path.EndsWith("json_ld", "organizer", "email")
}

// decodeEmail undoes the obfuscation of an address. The reference chooses byte by
// byte, so a character outside ASCII may come out half literal, which is then no
// UTF-8 and shown as a question mark: every run of such bytes counts as one mark.
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

// canonical writes a value so that two answers which differ in noise only come
// out the same: noisy values become a mark, obfuscated addresses are decoded,
// lists without order are sorted. All other bytes stay, white space included.
func (n *Noise) canonical(node *jsontree.Node, path jsontree.Path) string {
	if len(n.values)+len(n.lists) == 0 && !strings.Contains(node.Raw(), "json_ld") && !insideJSONLD(path) {
		return node.Raw()
	}
	var b strings.Builder
	n.write(&b, node, path)
	return b.String()
}

func insideJSONLD(path jsontree.Path) bool {
	return slices.ContainsFunc(path, func(step jsontree.Step) bool { return step.Name == "json_ld" })
}

func (n *Noise) write(b *strings.Builder, node *jsontree.Node, path jsontree.Path) {
	switch {
	case obfuscatedEmail(path) && node.Kind == jsontree.String:
		fmt.Fprintf(b, "%q", decodeEmail(node.Text()))
	case n.ignored(path):
		b.WriteString(`"~noise~"`)
	case node.Kind == jsontree.Array && n.unordered(path):
		n.writeSorted(b, node, path)
	default:
		node.WriteItems(b, func(i int, item *jsontree.Node) { n.write(b, item, node.Step(path, i)) })
	}
}

// writeSorted writes a list with its items in the order of their bytes, and what
// stands between the items where it stood.
func (n *Noise) writeSorted(b *strings.Builder, node *jsontree.Node, path jsontree.Path) {
	texts := make([]string, len(node.Items))
	for i, item := range node.Items {
		texts[i] = n.canonical(item, node.Step(path, i))
	}
	slices.Sort(texts)
	node.WriteItems(b, func(i int, _ *jsontree.Node) { b.WriteString(texts[i]) })
}
