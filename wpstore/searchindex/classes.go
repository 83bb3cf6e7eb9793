package searchindex

import (
	"context"
	"slices"
	"strings"
	"sync"
)

// class identifies characters that LIKE may take for equal.
type class uint32

const (
	unknown   class = iota // not read
	ignorable              // weighs nothing
	firstClass

	// wide marks the classes of scripts that write words with two characters.
	wide class = 1 << 31
	// firstWide is the first character of such scripts: CJK radicals, kana, ideographs and Hangul
	// follow.
	firstWide rune = 0x2E80
)

const (
	planeBits = 16
	planes    = 0x11
)

// classBytes is the memory of the classes.
const classBytes = 4 * 4 << planeBits

// planesRead returns the planes with characters that texts have: letters, emoji, ideographs, tags.
func planesRead() []rune { return []rune{0x0, 0x1, 0x2, 0xE} }

// Classes holds the classes of a collation's characters. It is immutable.
type Classes struct{ planes [planes][]class }

// of returns the class of a character.
func (c *Classes) of(r rune) class {
	if plane := c.planes[r>>planeBits]; plane != nil {
		return plane[r&(1<<planeBits-1)]
	}
	return unknown
}

// comparable reports whether equal weights are known to be no finer than LIKE under a collation.
func (c Collation) comparable() bool {
	rules, ok := strings.CutPrefix(c.Name, c.Charset+"_")
	if !ok {
		return false
	}
	rules = strings.TrimPrefix(strings.Replace(rules, "_nopad", "", 1), "nopad_")
	switch c.Charset {
	case "utf8", "utf8mb3", "utf8mb4":
		return slices.Contains([]string{"bin", "general_ci", "unicode_ci", "unicode_520_ci", "0900_ai_ci", "uca1400_ai_ci"}, rules)
	case "latin1":
		return slices.Contains([]string{"bin", "general_ci", "swedish_ci"}, rules)
	}
	return false
}

// Collations holds the classes of the collations that were read. Sites can share it. The zero value is
// ready; it is safe for concurrent use.
type Collations struct {
	mu      sync.Mutex
	classes map[Collation]*Classes
}

// read returns the classes of a collation. One query for each plane, none if they were read before.
func (k *Collations) read(ctx context.Context, from Source, c Collation) (*Classes, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if classes := k.classes[c]; classes != nil {
		return classes, nil
	}
	classes, err := readClasses(ctx, from, c)
	if err == nil {
		if k.classes == nil {
			k.classes = map[Collation]*Classes{}
		}
		k.classes[c] = classes
	}
	return classes, err
}

// readClasses reads the classes of a collation. One query for each plane.
func readClasses(ctx context.Context, from Source, c Collation) (*Classes, error) {
	out := &Classes{}
	byWeights := map[string]class{}
	next := firstClass
	for _, plane := range planesRead() {
		known := make([]class, 1<<planeBits)
		first := plane << planeBits
		err := from.Weights(ctx, c, first, first+1<<planeBits-1, func(r rune, weights []byte) {
			if r < first || r-first >= 1<<planeBits {
				return
			}
			if len(weights) == 0 {
				known[r-first] = ignorable
				return
			}
			of, ok := byWeights[string(weights)]
			if !ok {
				of = next
				if r >= firstWide {
					of |= wide
				}
				byWeights[string(weights)] = of
				next++
			}
			known[r-first] = of
		})
		if err != nil {
			return nil, err
		}
		out.planes[plane] = known
	}
	return out, nil
}
