// Package rollout lets calbridge and WordPress answer side by side while one takes
// over from the other: which of them answers a request, which requests both are
// asked, and what becomes of the comparison.
//
//   - mode.go: who answers whom; handler.go: a request's way;
//   - upstream.go, errors.go: WordPress behind a reverse proxy;
//   - comparison.go, queue.go: what is asked of the other side, behind the client's
//     back and within bounds; answer.go: what was answered.
//
// Comparing itself is not done here: a [Judge] is passed in.
package rollout

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Mode says which side answers, and whether the other one is asked too.
type Mode string

// The modes.
const (
	// Native: calbridge answers.
	Native Mode = "native"
	// Proxy: WordPress answers.
	Proxy Mode = "proxy"
	// DiffNative: calbridge answers, then WordPress is asked for comparison.
	DiffNative Mode = "diff-native"
	// DiffProxy: WordPress answers, then calbridge is asked for comparison.
	DiffProxy Mode = "diff-proxy"
)

// Modes lists all modes.
func Modes() []Mode { return []Mode{Native, Proxy, DiffNative, DiffProxy} }

// Plan is who answers whom.
type Plan struct {
	Mode Mode
	// Clients is the share of the clients that Mode is for, in percent; the others
	// get WordPress's answers. A client stays on its side, also when the share grows
	// and on other instances.
	Clients float64
	// Compared is the share of the GETs of those clients that both sides are asked,
	// in percent, chosen at random.
	Compared float64
}

// Alone says that the plan never needs WordPress.
func (p Plan) Alone() bool { return p.Mode == Native && p.Clients >= 100 }

// Compares says that the plan has both sides asked.
func (p Plan) Compares() bool {
	return (p.Mode == DiffNative || p.Mode == DiffProxy) && p.Clients > 0 && p.Compared > 0
}

func (p Plan) check(upstream bool) error {
	if !slices.Contains(Modes(), p.Mode) {
		return fmt.Errorf("there is no mode %q", p.Mode)
	}
	if p.Clients < 0 || p.Clients > 100 || p.Compared < 0 || p.Compared > 100 {
		return fmt.Errorf("shares go from 0 to 100 percent")
	}
	if !p.Alone() && !upstream {
		return fmt.Errorf("mode %s for %g %% of the clients needs the address of WordPress", p.Mode, p.Clients)
	}
	return nil
}

// has says whether a client is among the share.
func (p Plan) has(client string) bool {
	if p.Clients >= 100 {
		return true
	}
	digest := sha256.Sum256([]byte(client))
	at := float64(binary.BigEndian.Uint64(digest[:])) / math.MaxUint64 * 100
	return at < p.Clients
}
