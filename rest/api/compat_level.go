package api

// Compat is the level of fidelity to the reference.
type Compat string

// The levels: exact repeats every fault of the reference, including its security holes; safe closes
// the holes; fixed also corrects plain functional faults.
const (
	Exact Compat = "exact"
	Safe  Compat = "safe"
	Fixed Compat = "fixed"
)

// Exact reports whether the reference's security holes are repeated.
func (c Compat) Exact() bool { return c == Exact }

// Fixed reports whether plain functional faults of the reference are corrected.
func (c Compat) Fixed() bool { return c == Fixed }
