package systemtest

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// roundsOnTwoNodes returns the number of rounds in which two nodes are written at the same
// time.
func roundsOnTwoNodes() int {
	if os.Getenv("CALBRIDGE_LONG") != "" {
		return 400
	}
	return 25
}

// testTwoNodesWritten lets two processes write the same names to two nodes of a cluster at the
// same time. Nodes don't see each other's locks. The test checks that slugs, counts and the
// date range are nevertheless correct, and that no client gets an error.
func testTwoNodesWritten(t *testing.T, db wptest.Database, nodes []*wptest.Node) {
	var loads []*outageLoad
	k := newOutageKiller(t, db)
	k.t = t
	var serving []*started
	for _, n := range nodes {
		s := start(t, nil, outageArgs(db, n.DSN("calendar"), "--request-timeout", "1m")...)
		serving = append(serving, s)
		loads = append(loads, k.load(s.api, 4))
	}
	first := time.Date(2031, 1, 1, 12, 0, 0, 0, time.UTC)
	answered := map[string]int{}
	var mu sync.Mutex
	for round := range roundsOnTwoNodes() {
		name := fmt.Sprintf("Same %d", round)
		var clients sync.WaitGroup
		for i, l := range loads {
			day := first.AddDate(0, 0, round)
			if i%2 == 1 { // extends the range at both ends
				day = time.Date(1999, 12, 31, 12, 0, 0, 0, time.UTC).AddDate(0, 0, -round)
			}
			event := map[string]any{
				"title": name, "start_date": day.Format(time.DateTime), "end_date": day.Add(time.Hour).Format(time.DateTime),
				"categories": []any{3, name}, "tags": []any{15, name},
				"venue": map[string]any{"venue": name}, "organizer": []any{map[string]any{"organizer": name}},
			}
			for path, body := range map[string]any{
				"/events": event, "/venues": map[string]any{"venue": name}, "/organizers": map[string]any{"organizer": name},
				"/categories": map[string]any{"name": name + " alone"}, "/tags": map[string]any{"name": name + " alone"},
			} {
				clients.Go(func() {
					status, data := l.ask(body, http.MethodPost, path)
					var answer struct{ Code string }
					_ = json.Unmarshal(data, &answer)
					exists := status < 500 && strings.Contains(answer.Code, "term") // one of the two may come second
					if status >= 300 && !exists {
						t.Errorf("%s on node %d: %d %.200s", path, i+1, status, data)
					}
					mu.Lock()
					defer mu.Unlock()
					answered[fmt.Sprintf("%s %d %s", path, status, answer.Code)]++
				})
			}
		}
		clients.Wait()
	}
	t.Logf("answers: %v", answered)
	sameRows(t, nodes[0], nodes[1])
	for _, fault := range k.check.broken(t) {
		t.Errorf("%s", fault)
	}
	for _, s := range serving {
		s.stop()
	}
}

// testConflictAtCommit checks that, of two nodes that change the same row, one fails at COMMIT
// and its transaction runs again.
func testConflictAtCommit(t *testing.T, nodes []*wptest.Node) {
	servers, err := sqlconn.Open(t.Context(), sqlconn.Config{Database: wptest.Address(t, nodes[0].DSN("calendar")), Logger: slog.New(slog.DiscardHandler)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer servers.Close()
	const value = "SELECT option_value FROM calendar.wp_options WHERE option_name = 'blogdescription'"
	attempts := 0
	err = sqlconn.NewRunner(servers, nil).Transact(t.Context(), func(tx *sqlconn.Runner) (sqlconn.Ended, error) {
		attempts++
		if _, err := tx.Exec(t.Context(), "test.change", "options", sq.Update("wp_options").Set("option_value", "ours").Where(sq.Eq{"option_name": "blogdescription"})); err != nil {
			return nil, err
		}
		if attempts == 1 {
			nodes[1].Exec("UPDATE calendar.wp_options SET option_value = 'theirs' WHERE option_name = 'blogdescription'")
			nodes[0].Await(value, "theirs")
		}
		return nil, nil
	})
	if err != nil || attempts != 2 {
		t.Errorf("%d attempts, %v", attempts, err)
	}
	nodes[1].Await(value, "ours")
}
