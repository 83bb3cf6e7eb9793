package trait

import (
	"cmp"
	"strconv"
	"strings"
)

// maxVersion bounds the length of what is taken for a version.
const maxVersion = 40

// IsVersion reports whether a text begins like a version: digits and a dot.
func IsVersion(v string) bool {
	major, _, ok := strings.Cut(v, ".")
	_, err := strconv.ParseUint(major, 10, 16)
	return ok && err == nil && len(v) <= maxVersion && !strings.ContainsFunc(v, func(r rune) bool { return r <= ' ' || r > '~' || r == '<' })
}

// compareVersions compares the numbers of two versions. A missing number is 0, and what
// follows the numbers, such as -beta2, does not count.
func compareVersions(a, b string) int {
	x, y := versionNumbers(a), versionNumbers(b)
	for i := range max(len(x), len(y)) {
		var m, n uint64
		if i < len(x) {
			m = x[i]
		}
		if i < len(y) {
			n = y[i]
		}
		if m != n {
			return cmp.Compare(m, n)
		}
	}
	return 0
}

func versionNumbers(v string) []uint64 {
	var numbers []uint64
	for part := range strings.SplitSeq(v, ".") {
		digits := len(part) - len(strings.TrimLeft(part, "0123456789"))
		n, err := strconv.ParseUint(part[:digits], 10, 32)
		if err != nil {
			break
		}
		numbers = append(numbers, n)
		if digits < len(part) {
			break
		}
	}
	return numbers
}
