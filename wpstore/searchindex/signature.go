package searchindex

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// long is the length of long sequences, which tell words apart that share their short ones.
const long = 5

// window holds the last characters of a text before the next one.
type window [long - 1]class

// add calls sequence with the hash of each sequence that the next character completes.
func (w *window) add(c class, sequence func(hash uint32)) {
	if w[3]&c&wide != 0 {
		sequence(hashOf(w[3], c))
	}
	if w[2] != 0 {
		sequence(hashOf(w[2], w[3], c))
	}
	if w[0] != 0 {
		sequence(hashOf(w[0], w[1], w[2], w[3], c))
	}
	copy(w[:], w[1:])
	w[3] = c
}

// hashOf returns the hash of some characters.
func hashOf(characters ...class) uint32 {
	var h uint64
	for _, c := range characters {
		h = (h ^ uint64(c)) * 0x9E3779B97F4A7C15
		h ^= h >> 32
	}
	h *= 0xD6E8FEB86659FD93
	return uint32(h >> 32)
}

// ofText calls sequence with the hashes of a stored text. complete is false if the text has characters
// that no class is known of. Characters that weigh nothing are left out: a match may or may not skip them,
// but begins and ends with the same characters.
func (c *Classes) ofText(text []byte, sequence func(hash uint32)) (complete bool) {
	complete = true
	var w window
	for len(text) > 0 {
		r, size := rune(text[0]), 1
		if r >= utf8.RuneSelf {
			if r, size = utf8.DecodeRune(text); r == utf8.RuneError && size == 1 {
				return false
			}
		}
		text = text[size:]
		switch of := c.of(r); of {
		case unknown:
			complete = false
			w = window{}
		case ignorable:
		default:
			w.add(of, sequence)
		}
	}
	return complete
}

// wildcards are the characters that may mean something in a pattern, whatever the server's mode.
const wildcards = `%_\`

// ofSearch returns the distinct hashes that a text has in which the search occurs. known is false if
// the index cannot decide on one of the characters.
func (c *Classes) ofSearch(search string) (hashes []uint32, known bool) {
	var w window
	for _, r := range search {
		if strings.ContainsRune(wildcards, r) {
			w = window{}
			continue
		}
		of := c.of(r)
		if of == unknown || of == ignorable {
			return nil, false
		}
		w.add(of, func(h uint32) { hashes = append(hashes, h) })
	}
	slices.Sort(hashes)
	return slices.Compact(hashes), true
}
