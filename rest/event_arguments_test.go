package rest

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestEventArguments sends each argument that the index lists for the list of events. None fails,
// so each filter among them has a condition.
func TestEventArguments(t *testing.T) {
	s := newTestSite(t)
	var index struct {
		Routes map[string]struct {
			Endpoints []struct {
				Methods []string
				Args    json.RawMessage // an array where there are none
			}
		}
	}
	if err := json.Unmarshal([]byte(s.get("/wp-json/calendar/events/v1").body), &index); err != nil {
		t.Fatal(err)
	}
	var args map[string]struct{ Type string }
	if err := json.Unmarshal(index.Routes["/calendar/events/v1/events"].Endpoints[0].Args, &args); err != nil {
		t.Fatal(err)
	}
	for name, arg := range args {
		for _, value := range map[string][]string{"boolean": {"true", "false"}, "integer": {"101"}, "string": {"x"}, "array": {"34"}}[arg.Type] {
			if a := s.get(fmt.Sprintf("events?start_date=2020-01-01&%s=%s", name, value)); a.status >= 500 {
				t.Errorf("%s=%s: %d %s", name, value, a.status, a.body)
			}
		}
	}
}
