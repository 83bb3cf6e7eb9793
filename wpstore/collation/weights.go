package collation

import (
	"bytes"
	"compress/zlib"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"
)

//go:embed weights.bin
var packed []byte

// class identifies a sequence of weights: characters that compare equal have the
// same class. Explicit classes are offset<<classBits | count into table.weights;
// characters without an entry are classes of their own.
type class uint32

const (
	countBits     = 4
	countMask     = 1<<countBits - 1
	implicitClass = class(1) << 31
	pageBits      = 8
	pageMask      = 1<<pageBits - 1
)

type table struct {
	weights []uint16
	pages   [(utf8.MaxRune >> pageBits) + 1]*[1 << pageBits]class
	// ASCII in short: its classes, and its weights, which are one each or, for
	// control characters, none.
	ascii [utf8.RuneSelf]class
	light [utf8.RuneSelf]uint16
	space uint16
}

// weightTable is unpacked at first use, which takes about a millisecond.
var weightTable = sync.OnceValue(func() *table {
	t, err := unpack(packed)
	if err != nil {
		// Not reached: the tests unpack the same embedded bytes.
		return &table{}
	}
	return t
})

// unpack reads weights.bin: three compressed streams of varints (distances
// between code points, numbers of weights, differences between consecutive
// weights), each preceded by its number of values.
func unpack(data []byte) (*table, error) {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	r := varints{data: raw}
	gaps := r.list(func() int64 { return int64(r.unsigned()) })
	counts := r.list(func() int64 { return int64(r.unsigned()) })
	steps := r.list(r.signed)
	if r.broken || len(gaps) != len(counts) {
		return nil, fmt.Errorf("weights: %d bytes do not hold a table", len(raw))
	}
	t := &table{}
	seen := map[string]class{}
	var char, weight int64
	for i, gap := range gaps {
		char += gap
		n := int(counts[i])
		if char > utf8.MaxRune || n > countMask || n > len(steps) {
			return nil, fmt.Errorf("weights: entry %d is out of range", i)
		}
		key := make([]byte, 0, 2*countMask)
		start := len(t.weights)
		for _, step := range steps[:n] {
			weight += step
			t.weights = append(t.weights, uint16(weight))
			key = binary.BigEndian.AppendUint16(key, uint16(weight))
		}
		steps = steps[n:]
		c, known := seen[string(key)]
		if known {
			t.weights = t.weights[:start]
		} else {
			c = class(start<<countBits | n)
			seen[string(key)] = c
		}
		t.set(rune(char), c)
	}
	for r := range t.ascii {
		t.ascii[r] = t.classOf(rune(r))
		if weights := t.explicit(t.ascii[r]); len(weights) > 0 {
			t.light[r] = weights[0]
		}
	}
	t.space = t.light[' ']
	return t, nil
}

// absent marks a place of a page that has no entry. It can be no explicit class:
// the table is far smaller than its offset.
const absent = implicitClass - 1

func (t *table) set(r rune, c class) {
	page := t.pages[r>>pageBits]
	if page == nil {
		page = new([1 << pageBits]class)
		for i := range page {
			page[i] = absent
		}
		t.pages[r>>pageBits] = page
	}
	page[r&pageMask] = c
}

func (t *table) classOf(r rune) class {
	if page := t.pages[r>>pageBits]; page != nil {
		if c := page[r&pageMask]; c != absent {
			return c
		}
	}
	return implicitClass | class(r)
}

func (t *table) explicit(c class) []uint16 {
	start := int(c >> countBits)
	return t.weights[start : start+int(c&countMask)]
}

// implicit gives the two weights of a character that the table leaves out: the
// unified ideographs come before everything unassigned. (The few among the
// compatibility characters are in the table.)
func implicit(r rune) (first, second uint16) {
	base := rune(0xFBC0)
	switch {
	case r >= 0x4E00 && r <= 0x9FA5:
		base = 0xFB40
	case r >= 0x3400 && r <= 0x4DB5:
		base = 0xFB80
	}
	return uint16(base + r>>15), uint16(r&0x7FFF | 0x8000)
}

// varints reads the numbers of the packed table; after the end all are zero and
// broken is set.
type varints struct {
	data   []byte
	broken bool
}

func (v *varints) unsigned() uint64 {
	n, size := binary.Uvarint(v.data)
	if size <= 0 {
		v.broken = true
		v.data = nil
		return 0
	}
	v.data = v.data[size:]
	return n
}

// signed undoes the zigzag of binary.AppendVarint.
func (v *varints) signed() int64 {
	n := v.unsigned()
	return int64(n>>1) ^ -int64(n&1)
}

func (v *varints) list(next func() int64) []int64 {
	n := v.unsigned()
	if n > uint64(len(v.data)) { // each takes a byte at least
		v.broken = true
		return nil
	}
	out := make([]int64, n)
	for i := range out {
		out[i] = next()
	}
	return out
}
