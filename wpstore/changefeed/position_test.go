package changefeed

import (
	"context"
	"encoding"
	"fmt"
	"testing"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/invalidation"
)

// stored is a Position that has a mark.
type stored string

func (s stored) Resume(context.Context) []byte    { return []byte(s) }
func (stored) Begin(bool, encoding.TextMarshaler) {}
func (stored) Reached(encoding.TextMarshaler)     {}

// recorded is a Recorder that has a mark.
type recorded struct{ stored }

func (recorded) Record([]invalidation.Tag, bool, encoding.TextMarshaler) {}

func TestResume(t *testing.T) {
	at := func(server, position string) string {
		return fmt.Sprintf(`{"Flavor":"mariadb","Server":%q,"Position":%q,"Before":%q,"Last":"x"}`, server, position, position)
	}
	for _, c := range []struct {
		name               string
		recorder           bool
		recorded, position string
		want               string // "" for now
		behind             bool
	}{
		{"neither", false, "", "", "", false},
		{"a position alone", false, "", at("1", "0-1-5"), "0-1-5", false},
		{"a damaged position", false, "", "{", "", false},
		{"a recorder without a mark", true, "", at("1", "0-1-5"), "", false},
		{"a recorder alone", true, at("1", "0-1-5"), "", "0-1-5", true},
		{"the position is earlier", true, at("1", "0-1-7"), at("1", "0-1-5"), "0-1-5", false},
		{"the recorder is earlier", true, at("1", "0-1-5"), at("1", "0-1-7"), "0-1-5", false},
		{"both are the same", true, at("1", "0-1-5"), at("1", "0-1-5"), "0-1-5", false},
		{"of another server", true, at("1", "0-1-5"), at("2", "0-1-5"), "0-1-5", true},
		{"neither is earlier", true, at("1", "0-1-5,1-1-3"), at("1", "0-1-4,1-1-4"), "0-1-5,1-1-3", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &member{observer: Observer{Position: stored(c.position)}}
			if c.recorder {
				m.observer.Recorder = recorded{stored(c.recorded)}
			}
			got := ""
			if from := m.resume(t.Context(), binlog.MariaDB); from.position != nil {
				got = from.position.String()
			}
			if got != c.want || m.behind != c.behind {
				t.Errorf("from %q, behind: %t; want %q, %t", got, m.behind, c.want, c.behind)
			}
		})
	}
}
