package notice

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// SequenceOption is the option in which the plugin counts the notices of its site. Its value
// is a [Mark] as text: the last number that was taken, a dot, and the epoch.
const SequenceOption = "calbridge_sequence"

// Mark numbers a notice among those of its site. A process of PHP takes the next number
// with the first change that the notice will name.
type Mark struct {
	// Epoch is the random name of a count. A new epoch begins a new count.
	Epoch  string `json:"epoch,omitempty"`
	Number uint64 `json:"number,omitempty"`
}

var errMark = errors.New("no number of a notice")

// maxNumber is larger than any site's count, and exact in JSON.
const maxNumber = 1 << 53

// ParseMark parses the value of [SequenceOption]. Its number may be 0.
func ParseMark(text string) (Mark, error) {
	number, epoch, _ := strings.Cut(text, ".")
	n, err := strconv.ParseUint(number, 10, 64)
	m := Mark{Epoch: epoch, Number: n}
	if err != nil || number[0] == '+' || !m.valid() {
		return Mark{}, errMark
	}
	return m, nil
}

func (m Mark) valid() bool {
	return m.Number <= maxNumber && regexp.MustCompile(`\A[0-9a-f]{32}\z`).MatchString(m.Epoch)
}
