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

// class identifies a sequence of weights: characters that compare equal have the same
// class. An explicit class is offset<<countBits | count of table.weights. Each character
// without an entry is a class of its own.
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
	// The classes of ASCII, and its weights: one each, 0 for control characters.
	ascii [utf8.RuneSelf]class
	light [utf8.RuneSelf]uint16
	space uint16
}

// weightTable is unpacked at first use, which takes about a millisecond.
var weightTable = sync.OnceValue(func() *table {
	t, err := unpack(packed)
	if err != nil {
		panic(err) // the embedded bytes are broken
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
	gaps, counts := r.list(r.unsigned), r.list(r.unsigned)
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

// absent marks a character of a page without an entry. No explicit class has this value:
// its offset lies far beyond the table.
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

// implicit computes the two weights of a character without an entry. The unified
// ideographs come before everything unassigned; the few among the compatibility
// characters have entries.
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

// varints reads the numbers of the packed table. Beyond the end they are zero, and broken
// is set.
type varints struct {
	data   []byte
	broken bool
}

func (v *varints) unsigned() int64 {
	n, size := binary.Uvarint(v.data)
	return v.took(int64(n), size)
}

func (v *varints) signed() int64 {
	n, size := binary.Varint(v.data)
	return v.took(n, size)
}

func (v *varints) took(n int64, size int) int64 {
	if size <= 0 {
		v.broken, v.data = true, nil
		return 0
	}
	v.data = v.data[size:]
	return n
}

func (v *varints) list(next func() int64) []int64 {
	n := v.unsigned()
	if n < 0 || n > int64(len(v.data)) { // each takes at least one byte
		v.broken = true
		return nil
	}
	out := make([]int64, n)
	for i := range out {
		out[i] = next()
	}
	return out
}
