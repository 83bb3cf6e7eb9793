package rollout

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Mode selects which side answers, and whether both are compared.
type Mode string

// The modes.
const (
	// Native means that calbridge answers.
	Native Mode = "native"
	// Proxy means that WordPress answers.
	Proxy Mode = "proxy"
	// DiffNative means that calbridge answers, and WordPress then receives the request for
	// comparison.
	DiffNative Mode = "diff-native"
	// DiffProxy means that WordPress answers, and calbridge then receives the request for
	// comparison.
	DiffProxy Mode = "diff-proxy"
	// Auto means that calbridge answers where its responses have proved to be the same, and
	// WordPress the rest.
	Auto Mode = "auto"
)

// Modes lists all modes.
func Modes() []Mode { return []Mode{Native, Proxy, DiffNative, DiffProxy, Auto} }

// Plan selects which side answers which client.
type Plan struct {
	Mode Mode
	// Clients is the share of the clients that Mode applies to, in percent; WordPress answers the
	// others. A client stays on its side on all instances, even if the share grows.
	Clients float64
	// Compared is the share of those clients' GETs that are compared, in percent, chosen
	// at random.
	Compared float64
}

// Alone reports whether the plan works without WordPress.
func (p Plan) Alone() bool { return p.Mode == Native && p.Clients >= 100 }

// Compares reports whether the plan compares both sides.
func (p Plan) Compares() bool {
	return p.Mode == Auto || (p.Mode == DiffNative || p.Mode == DiffProxy) && p.Clients > 0 && p.Compared > 0
}

func (p Plan) check(upstream bool) error {
	if !slices.Contains(Modes(), p.Mode) {
		return fmt.Errorf("%q is not a mode", p.Mode)
	}
	if p.Clients < 0 || p.Clients > 100 || p.Compared < 0 || p.Compared > 100 {
		return errors.New("shares go from 0 to 100 percent")
	}
	if !p.Alone() && !upstream {
		return fmt.Errorf("mode %s for %g %% of the clients needs the address of WordPress", p.Mode, p.Clients)
	}
	return nil
}

// has reports whether a client belongs to the share.
func (p Plan) has(client string) bool {
	if p.Clients >= 100 {
		return true
	}
	digest := sha256.Sum256([]byte(client))
	at := float64(binary.BigEndian.Uint64(digest[:])) / math.MaxUint64 * 100
	return at < p.Clients
}
