package union

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"time"
)

// key is the place of an event in the order.
type key struct {
	start    int64 // Unix time
	site, id int64
}

func (k key) compare(o key) int {
	return cmp.Or(cmp.Compare(k.start, o.start), cmp.Compare(k.site, o.site), cmp.Compare(k.id, o.id))
}

// text returns the key before it is encoded.
func (k key) text() string { return fmt.Sprintf("1:%d:%d:%d", k.start, k.site, k.id) }

// cursor returns the key as clients see it.
func (k key) cursor() string { return base64.RawURLEncoding.EncodeToString([]byte(k.text())) }

// maxCursor is the longest cursor that is decoded.
const maxCursor = 128

// parseCursor returns the key of a cursor. It accepts only what key.cursor returns for a date of
// the years 1 to 9999.
func parseCursor(s string) (k key, ok bool) {
	if len(s) > maxCursor {
		return key{}, false
	}
	text, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return key{}, false
	}
	if _, err := fmt.Sscanf(string(text), "1:%d:%d:%d", &k.start, &k.site, &k.id); err != nil || k.cursor() != s {
		return key{}, false
	}
	if year := time.Unix(k.start, 0).UTC().Year(); year < 1 || year > 9999 {
		return key{}, false
	}
	return k, true
}
