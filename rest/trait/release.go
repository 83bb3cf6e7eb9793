package trait

import (
	"slices"
	"strconv"
	"strings"
)

// release is the first release of WordPress with an option db_version.
type release struct {
	dbVersion int64
	name      string
	// same are further releases with that db_version.
	same []string
}

// releases returns the releases, the oldest first.
func releases() []release {
	return []release{{57155, "6.5", []string{"6.6"}}, {58975, "6.7", nil}, {60421, "6.8", nil}, {60717, "6.9", nil}, {61833, "7.0", []string{"7.1"}}}
}

// Release returns the first release of WordPress with an option db_version. It returns "" if that
// is newer than all known ones, or not a number.
func Release(dbVersion string) string {
	n, err := strconv.ParseInt(strings.TrimSpace(dbVersion), 10, 64)
	all := releases()
	if err != nil || n > all[len(all)-1].dbVersion {
		return ""
	}
	for _, r := range slices.Backward(all) {
		if n >= r.dbVersion {
			return r.name
		}
	}
	return "6.4" // or before
}

// SameRelease reports whether a version is of a release as Release returns it, which stands for
// all with its db_version.
func SameRelease(version, of string) bool {
	in := func(name string) bool {
		return version == name || strings.HasPrefix(version, name+".") || strings.HasPrefix(version, name+"-")
	}
	if in(of) || strings.HasPrefix(of, version+".") {
		return true
	}
	for _, r := range releases() {
		if r.name == of {
			return slices.ContainsFunc(r.same, in)
		}
	}
	return false
}
