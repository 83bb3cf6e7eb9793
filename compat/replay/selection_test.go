package replay

import (
	"context"
	"strings"
	"testing"

	"calbridge/compat/compattest"
)

func TestShards(t *testing.T) {
	var lines []any
	for i := range 40 {
		lines = append(lines, compattest.Exchange("x-"+strings.Repeat("i", i), "GET", "/wp-json/?"+strings.Repeat("i", i), `{}`))
	}
	file := compattest.WriteRecording(t, "reads.jsonl", lines...)
	server := compattest.ReplayServer(t, []string{file}, nil, nil)
	total := 0
	for _, text := range []string{"1/3", "2/3", "3/3"} {
		shard, err := ParseShard(text)
		if err != nil {
			t.Fatal(err)
		}
		report, err := Compare(context.Background(), Options{Target: server.URL, Recordings: []string{file}, Selection: Selection{Shard: shard}})
		if err != nil || report.Same == 0 || report.Same+report.SkippedBy[ReasonShard] != 40 {
			t.Errorf("%s: error %v, %+v", text, err, report)
		}
		total += report.Same
	}
	if total != 40 {
		t.Errorf("the shards have %d exchanges", total)
	}
	for _, bad := range []string{"0/3", "4/3", "1", "a/b", "1/3x", "-1/3"} {
		if _, err := ParseShard(bad); err == nil {
			t.Errorf("%s passes", bad)
		}
	}
}
