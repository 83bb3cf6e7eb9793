package wpstore

import (
	"errors"
	"fmt"
	"time"
)

// CostClass is a kind of database work whose requests share a limited number of connections, so
// that none of the other kinds waits for them. It is a metric label.
type CostClass string

// The classes. The limit of reads is the connection pool itself.
const (
	CostRead   CostClass = "reads"
	CostSlow   CostClass = "slow"    // searches, and lists for which the database looks at all posts or links
	CostExport CostClass = "exports" // all events at once: feeds and exports
	CostWrite  CostClass = "writes"
)

// CostClasses lists the classes.
func CostClasses() []CostClass { return []CostClass{CostRead, CostSlow, CostExport, CostWrite} }

// CrowdedError reports that no connection became free in time. It matches [ErrUnavailable].
type CrowdedError struct {
	Class CostClass
	// Places is the number of connections that the class may use, or that there are.
	Places int
	Waited time.Duration
}

// Error describes the limit that was reached.
func (e *CrowdedError) Error() string {
	return fmt.Sprintf("all connections are in use: none of %d for %s became free within %s", e.Places, e.Class, e.Waited)
}

// Unwrap returns ErrUnavailable.
func (e *CrowdedError) Unwrap() error { return ErrUnavailable }

// Crowded returns the class of a [CrowdedError], and whether err is one.
func Crowded(err error) (class CostClass, crowded bool) {
	var e *CrowdedError
	if errors.As(err, &e) {
		return e.Class, true
	}
	return "", false
}
