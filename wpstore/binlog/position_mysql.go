package binlog

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// interval is a range of transaction numbers, including both ends.
type interval struct{ first, last uint64 }

// source is what numbers its transactions: a server with, since MySQL 8.3, a tag, "" for
// none.
type source struct {
	server uuid.UUID
	tag    string
}

// sets is a position of MySQL: the transactions of each source, as sorted ranges
// that do not touch.
type sets map[source][]interval

// gtidTag matches the tags of GTIDs in lower case, as the server writes them.
var gtidTag = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,31}$`)

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
		from := source{server: id}
		for _, field := range fields[1:] {
			if tag := strings.ToLower(strings.TrimSpace(field)); gtidTag.MatchString(tag) {
				from.tag = tag
				continue
			}
			first, last, ranged := strings.Cut(strings.TrimSpace(field), "-")
			if !ranged {
				last = first
			}
			begin, err1 := strconv.ParseUint(first, 10, 63)
			end, err2 := strconv.ParseUint(last, 10, 63)
			if err1 != nil || err2 != nil || begin == 0 || end < begin {
				return nil, fmt.Errorf("%q is not a range of transactions", field)
			}
			out[from] = append(out[from], interval{begin, end})
		}
	}
	for id, ranges := range out {
		out[id] = joined(ranges)
	}
	return out, nil
}

// owner matches what follows a transaction in gtid_owned: the thread that commits it.
var owner = regexp.MustCompile(`#[0-9]+`)

// ParseOwned parses MySQL's @@global.gtid_owned: transactions that are being committed.
func ParseOwned(text string) (Position, error) { return parseSets(owner.ReplaceAllString(text, "")) }

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
	var b strings.Builder
	var last uuid.UUID
	for i, from := range s.sources() {
		if i == 0 || from.server != last {
			if i > 0 {
				b.WriteByte(',')
			}
			last = from.server
			b.WriteString(last.String())
		}
		if from.tag != "" {
			b.WriteString(":" + from.tag)
		}
		for _, r := range s[from] {
			b.WriteString(":" + strconv.FormatUint(r.first, 10))
			if r.last > r.first {
				b.WriteString("-" + strconv.FormatUint(r.last, 10))
			}
		}
	}
	return b.String()
}

// sources returns the sources, sorted by server, then by tag.
func (s sets) sources() []source {
	return slices.SortedFunc(maps.Keys(s), func(a, b source) int {
		return cmp.Or(bytes.Compare(a.server[:], b.server[:]), strings.Compare(a.tag, b.tag))
	})
}

// encode returns the form that COM_BINLOG_DUMP_GTID expects. The end of a range is the
// number after its last. Servers without support for tags accept only the form without
// them.
func (s sets) encode() []byte {
	le := binary.LittleEndian
	all := s.sources()
	tagged := slices.ContainsFunc(all, func(from source) bool { return from.tag != "" })
	count := uint64(len(all))
	if tagged {
		count = 1 | count<<8 | 1<<56 // the number of the form stands on both sides of the count
	}
	out := le.AppendUint64(nil, count)
	for _, from := range all {
		out = append(out, from.server[:]...)
		if tagged {
			out = append(out, byte(len(from.tag)<<1)) // an integer of variable length, here one byte
			out = append(out, from.tag...)
		}
		out = le.AppendUint64(out, uint64(len(s[from])))
		for _, r := range s[from] {
			out = le.AppendUint64(out, r.first)
			out = le.AppendUint64(out, r.last+1)
		}
	}
	return out
}
