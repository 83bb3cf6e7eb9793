package replay

import (
	"fmt"
	"hash/fnv"
)

// Shard is one of several parts into which a comparison is split, so that they
// can run side by side. The zero value is the whole.
type Shard struct {
	Index int // from 1
	Count int
}

// ParseShard reads "2/5": the second of five parts. "" is the whole.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		return Shard{}, nil
	}
	var s Shard
	var rest string
	if n, _ := fmt.Sscanf(text, "%d/%d%s", &s.Index, &s.Count, &rest); n != 2 || s.Index < 1 || s.Index > s.Count {
		return Shard{}, fmt.Errorf("shard %q: expected a part of a whole such as 2/5", text)
	}
	return s, nil
}

// has reports whether the exchange of that id is in the shard. An exchange stays
// in its shard when others are added or taken away.
func (s Shard) has(id string) bool {
	if s.Count <= 1 {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(id))
	return int(h.Sum32()%uint32(s.Count)) == s.Index-1
}
