package collation

import (
	"bytes"
	"encoding/binary"
)

// Key returns the weights of a text, trailing spaces aside: the same for two texts exactly
// if they compare equal.
func Key(s string) string {
	t := weightTable()
	w := weigher{t: t, text: s}
	key := make([]byte, 0, 2*len(s))
	for {
		weight, more := w.next()
		if !more {
			break
		}
		key = binary.BigEndian.AppendUint16(key, weight)
	}
	space := binary.BigEndian.AppendUint16(nil, t.space)
	for bytes.HasSuffix(key, space) {
		key = key[:len(key)-len(space)]
	}
	return string(key)
}
