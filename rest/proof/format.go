package proof

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"calbridge/rest/strictjson"
)

// The file begins with a line: magic, format, site, and the SHA-256 of the rest, which is the
// JSON of a proof.Saved.
const (
	magic  = "calbridge-proofs"
	format = "1"
)

// Errors of decode.
var (
	errFormat  = errors.New("this calbridge reads format " + format)
	errSite    = errors.New("it is another site's")
	errDamaged = errors.New("it is damaged")
)

// encode returns a file of a site, whose name has no spaces.
func encode(site string, k Saved) ([]byte, error) {
	body, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	return seal(site, body), nil
}

func seal(site string, body []byte) []byte {
	sum := sha256.Sum256(body)
	return fmt.Appendf(nil, "%s %s %s %s\n%s", magic, format, site, hex.EncodeToString(sum[:]), body)
}

// decode reads a file of a site.
func decode(site string, data []byte) (k Saved, err error) {
	line, body, _ := bytes.Cut(data, []byte("\n"))
	words := strings.Split(string(line[:min(len(line), 500)]), " ")
	switch {
	case words[0] != magic || len(words) < 2:
		return k, errDamaged
	case words[1] != format:
		return k, fmt.Errorf("it has format %q, and %w", words[1], errFormat)
	case len(words) != 4:
		return k, errDamaged
	case words[2] != site:
		return k, errSite
	}
	if sum := sha256.Sum256(body); words[3] != hex.EncodeToString(sum[:]) {
		return k, errDamaged
	}
	if err := strictjson.Unmarshal(body, &k); err != nil {
		return Saved{}, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return k, nil
}
