package proof

import (
	"time"
)

// Settings say when something is proven.
type Settings struct {
	// Comparisons is how many identical answers prove a shape, and Time how long they must be
	// apart, from the first to the last.
	Comparisons int
	Time        time.Duration
	// Sample is the share of the requests answered natively that are compared afterwards, in
	// percent. A shape is compared at least once per Time while it is asked for.
	Sample float64
	// Writes: the owner accepts that calbridge makes writes itself, which can't be compared.
	Writes bool
	// WithoutCompanion: the owner accepts that changes of code go unnoticed which change no
	// row.
	WithoutCompanion bool
	// HarmlessTables are tables and options whose changes guard nothing, by patterns as of
	// path.Match: "wfhits", "options:wordfence_*". Tables are named without prefix.
	HarmlessTables []string
	// Bytes bounds the memory of all proofs.
	Bytes int64
}

// Weights of what is remembered, in bytes, estimated.
const (
	objectWeight = 64
	shapeWeight  = 1536
)

// maxObjects returns how many objects may be remembered: seven eighths of the memory.
func (s *Settings) maxObjects() int { return max(64, int(s.Bytes/8*7/objectWeight)) }

// maxShapes returns how many shapes may be remembered: one eighth of the memory.
func (s *Settings) maxShapes() int { return max(16, int(s.Bytes/8/shapeWeight)) }

// interval returns the least time between two comparisons of the same request that both count:
// as many as needed are then spread over Settings.Time.
func (s *Settings) interval() time.Duration { return s.Time / time.Duration(max(s.Comparisons, 1)) }
