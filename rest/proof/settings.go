package proof

import (
	"time"
)

// Settings configure when something is proven.
type Settings struct {
	// Comparisons is the number of identical responses that prove a shape, and Time the least time
	// between the first and the last.
	Comparisons int
	Time        time.Duration
	// Sample is the share of natively answered requests that are compared afterwards, in percent. A
	// shape that is in use is compared at least once per Time.
	Sample float64
	// Rate is the share of WordPress's time, in percent, in which objects that are in use may be
	// compared again before they expire, as if WordPress answered one request at a time.
	Rate float64
	// Writes reports that the owner accepts native writes, which can't be compared.
	Writes bool
	// WithoutCompanion reports that the owner accepts that changes of code go unnoticed if they
	// change no row.
	WithoutCompanion bool
	// HarmlessTables are tables and options whose changes can't restrict access, by patterns as of
	// path.Match: "wfhits", "options:wordfence_*", "postmeta:views",
	// "file:wp-content/uploads/a.json". Tables are named without prefix. A pattern that
	// begins with ! takes tables off the built-in list.
	HarmlessTables []string
	// MaxAge limits how long an object counts as shown without being compared again, unless WordPress
	// fails. Zero means no limit.
	MaxAge time.Duration
	// OnlyContent reports that calbridge's responses need no proof, but for content that only
	// WordPress can render. All else must then be the same in both responses.
	OnlyContent bool
	// Bytes bounds the memory of all proofs.
	Bytes int64
}

// Weights of what is stored, in bytes, estimated.
const (
	objectWeight = 64
	shapeWeight  = 1536
)

// maxObjects returns the maximum number of stored objects: seven eighths of the memory.
func (s *Settings) maxObjects() int { return max(64, int(s.Bytes/8*7/objectWeight)) }

// maxShapes returns the maximum number of stored shapes: one eighth of the memory.
func (s *Settings) maxShapes() int { return max(16, int(s.Bytes/8/shapeWeight)) }

// interval returns the least time between two comparisons of the same request that both count. The
// required number is thus spread over Settings.Time.
func (s *Settings) interval() time.Duration { return s.Time / time.Duration(max(s.Comparisons, 1)) }
