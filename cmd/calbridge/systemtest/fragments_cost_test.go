package systemtest

import (
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"calbridge/wpstore/wptest"
)

// TestFragmentCost measures over HTTP what a list of ten events costs that calbridge composes of
// WordPress's objects, beside the same list in mode native, and the memory of the objects of a site. The
// requests alternate, so that other load on the machine affects both alike.
//
//	CALBRIDGE_COST=20000 go test -timeout 20m -run TestFragmentCost -v ./cmd/calbridge/systemtest
//
// sends that many requests to each server, and has a site of 1,000 events.
func TestFragmentCost(t *testing.T) {
	requests, _ := strconv.Atoi(os.Getenv("CALBRIDGE_COST"))
	events := 1000
	if requests == 0 {
		if testing.Short() {
			t.Skip("proves for seconds")
		}
		requests, events = 100, 20
	}
	dsn := wptest.Replicated(t)
	db := newPlainSite(t, dsn, events)
	composed := newOutage(t, dsn, "--proof-sample", "0")
	native := spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, "serve", "--clock", modesNow, "--read-only", "--compat", "exact")
	const list = apiRoot + "/events?per_page=10"
	waitFor(t, func() bool {
		resp, _ := fetch(t, composed.api+list)
		return resp.Header.Get("X-Powered-By") == ""
	})
	const warm = 20
	var took [2][]time.Duration
	for n := range requests + warm {
		for side, base := range []string{composed.api, native.api} {
			begin := time.Now()
			resp, err := http.Get(base + list)
			if err != nil {
				t.Fatal(err)
			}
			_, err = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			if err != nil || resp.Header.Get("X-Powered-By") != "" || resp.StatusCode != http.StatusOK {
				t.Fatalf("%d %v %v", resp.StatusCode, resp.Header, err)
			}
			if n >= warm {
				took[side] = append(took[side], time.Since(begin))
			}
		}
	}
	for side, name := range []string{"composed", "native"} {
		slices.Sort(took[side])
		t.Logf("a list of 10 from memory, %-9s p50 %.3f ms, p90 %.3f ms, p99 %.3f ms", name+":", ms(percentile(took[side], 50)), ms(percentile(took[side], 90)), ms(percentile(took[side], 99)))
	}

	var first int
	if err := db.QueryRow("SELECT MIN(ID) FROM wp_posts WHERE post_type = 'tribe_events'").Scan(&first); err != nil {
		t.Fatal(err)
	}
	const memory = "process_resident_memory_bytes"
	before, resident := composed.report().Fragments, composed.metric(memory)
	waitFor(t, func() bool {
		for id := range events {
			composed.get(strconv.Itoa(first + id))
		}
		return composed.report().Fragments.Held >= events/10*9
	})
	after := composed.report().Fragments
	held, bytes := after.Held-before.Held, after.Bytes-before.Bytes
	t.Logf("%d single events as WordPress renders them take %d KiB, %d bytes each; the process has %.1f MiB more resident memory", held, bytes>>10, int(bytes)/max(int(held), 1), (composed.metric(memory)-resident)/(1<<20))
	if held == 0 || int(bytes)/int(held) > 64<<10 {
		t.Errorf("%+v", after)
	}
}
