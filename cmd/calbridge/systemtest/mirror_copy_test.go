package systemtest

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlite"
)

const (
	mirrorAPI = "/wp-json/calendar/events/v1"
	// mirrorTarget is the list that is copied. Events enter and leave it by their dates.
	mirrorTarget = mirrorAPI + "?start_date=2026-03-01&end_date=2027-09-01"
)

var (
	// goneReason is the reason of a 410, or of a stream's reset, in the mirror's log.
	goneReason = regexp.MustCompile(`\(\\?"?([a-z]+)\\?"?\)`)
	// termCounts matches counts of terms, which events contain but changes do not update.
	termCounts = regexp.MustCompile(`"count":\d+,`)
)

// listed returns the whole list of the API by id.
func (k *mirrorKiller) listed() map[int64]string {
	k.t.Helper()
	out := map[int64]string{}
	for page := 1; ; page++ {
		res, body := fetch(k.t, fmt.Sprintf("%s%s&per_page=50&page=%d", k.server.api, strings.Replace(mirrorTarget, "?", "/events?", 1), page))
		var list struct {
			Events     []json.RawMessage
			TotalPages int `json:"total_pages"`
		}
		if err := json.Unmarshal([]byte(body), &list); err != nil || res.StatusCode != http.StatusOK {
			k.t.Fatalf("%s: %v: %.300s", res.Status, err, body)
		}
		for _, event := range list.Events {
			if err := addCopied(out, event); err != nil {
				k.t.Fatal(err)
			}
		}
		if page >= list.TotalPages {
			break
		}
	}
	if len(out) < 10 {
		k.t.Fatalf("the list has %d events: comparing them says nothing", len(out))
	}
	return out
}

func addCopied(to map[int64]string, event []byte) error {
	var of struct{ ID int64 }
	if err := json.Unmarshal(event, &of); err != nil {
		return fmt.Errorf("%w: %.300s", err, event)
	}
	if _, twice := to[of.ID]; twice {
		return fmt.Errorf("event %d is there twice", of.ID)
	}
	to[of.ID] = termCounts.ReplaceAllString(string(event), "")
	return nil
}

// lines returns the events of the mirror's JSONL file.
func (k *mirrorKiller) lines() (map[int64]string, error) {
	data, err := os.ReadFile(k.file("calendar.jsonl"))
	if err != nil {
		return nil, err
	}
	out := map[int64]string{}
	for line := range strings.Lines(string(data)) {
		if err := addCopied(out, []byte(strings.TrimSuffix(line, "\n"))); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// rows returns the events of the mirror's SQLite file.
func (k *mirrorKiller) rows() (map[int64]string, error) {
	engine, err := sqlite.NewConnector(k.file("calendar.sqlite"), time.Now)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(engine)
	defer db.Close()
	rows, err := sq.Select("json").From("events").RunWith(db).QueryContext(context.Background())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[int64]string{}
	for rows.Next() {
		var event []byte
		if err := rows.Scan(&event); err != nil {
			return nil, err
		}
		if err := addCopied(out, event); err != nil {
			return nil, err
		}
	}
	return out, rows.Err()
}
