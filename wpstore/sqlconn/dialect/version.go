package dialect

import (
	"cmp"
	"fmt"
)

// Version is the first two numbers of a server's version.
type Version struct{ Major, Minor int }

// Compare returns a negative number if v is the older one.
func (v Version) Compare(other Version) int {
	return cmp.Or(cmp.Compare(v.Major, other.Major), cmp.Compare(v.Minor, other.Minor))
}

func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// Versions are the versions of an engine that are supported: the oldest and later. Tests run
// on some of them (.ci/matrix), in ascending order.
type Versions struct {
	Oldest Version
	Tested []Version
}
