package binlog

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// interval is a range of transaction numbers, including both ends.
type interval struct{ first, last uint64 }

// sets is a position of MySQL: the transactions of each server, as sorted ranges
// that do not touch.
type sets map[uuid.UUID][]interval

func parseSets(text string) (sets, error) {
	out := sets{}
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		fields := strings.Split(part, ":")
		id, err := uuid.Parse(fields[0])
		if err != nil {
			return nil, fmt.Errorf("%q is not a set of GTIDs: %w", part, err)
		}
		for _, field := range fields[1:] {
			first, last, ranged := strings.Cut(strings.TrimSpace(field), "-")
			if !ranged {
				last = first
			}
			from, err1 := strconv.ParseUint(first, 10, 63)
			to, err2 := strconv.ParseUint(last, 10, 63)
			if err1 != nil || err2 != nil || from == 0 || to < from {
				return nil, fmt.Errorf("%q is not a range of transactions; GTIDs with tags are not supported", field)
			}
			out[id] = append(out[id], interval{from, to})
		}
	}
	for id, ranges := range out {
		out[id] = joined(ranges)
	}
	return out, nil
}

// joined sorts ranges and joins those that touch.
func joined(ranges []interval) []interval {
	slices.SortFunc(ranges, func(a, b interval) int { return cmp.Compare(a.first, b.first) })
	out := ranges[:0]
	for _, r := range ranges {
		if n := len(out); n > 0 && r.first <= out[n-1].last+1 {
			out[n-1].last = max(out[n-1].last, r.last)
			continue
		}
		out = append(out, r)
	}
	return out
}

// Contains implements [Position].
func (s sets) Contains(other Position) bool {
	o, ok := other.(sets)
	if !ok {
		return false
	}
	for id, ranges := range o {
		if !slices.Equal(joined(slices.Concat(s[id], ranges)), s[id]) {
			return false
		}
	}
	return true
}

// Merge implements [Position].
func (s sets) Merge(other Position) Position {
	o, _ := other.(sets)
	out := maps.Clone(s)
	for id, ranges := range o {
		out[id] = joined(slices.Concat(out[id], ranges))
	}
	return out
}

func (s sets) String() string {
	parts := make([]string, 0, len(s))
	for _, id := range s.ids() {
		text := id.String()
		for _, r := range s[id] {
			text += ":" + strconv.FormatUint(r.first, 10)
			if r.last > r.first {
				text += "-" + strconv.FormatUint(r.last, 10)
			}
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ",")
}

func (s sets) ids() []uuid.UUID {
	return slices.SortedFunc(maps.Keys(s), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
}

// encode is the form that COM_BINLOG_DUMP_GTID takes: the ends of ranges are
// beyond the last.
func (s sets) encode() []byte {
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(s)))
	for _, id := range s.ids() {
		out = append(out, id[:]...)
		out = binary.LittleEndian.AppendUint64(out, uint64(len(s[id])))
		for _, r := range s[id] {
			out = binary.LittleEndian.AppendUint64(out, r.first)
			out = binary.LittleEndian.AppendUint64(out, r.last+1)
		}
	}
	return out
}
