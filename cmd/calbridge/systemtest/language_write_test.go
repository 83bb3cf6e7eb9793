package systemtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/compat/recording"
	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// TestFixedLanguageWrites checks writes in languages for which the reference is plainly wrong
// and compat fixed is not.
func TestFixedLanguageWrites(t *testing.T) {
	shared := testdata.Shared(t)
	for _, site := range []string{"wpml", "poly"} {
		t.Run(site, func(t *testing.T) {
			users, err := recording.LoadSite(filepath.Join(shared, "sites", site+".json"))
			if err != nil {
				t.Fatal(err)
			}
			db := wptest.SiteCopy(t, "sqlite", site)
			url := serveStore(t, openStore(t, db), site, db.Now, nil, func(c *rest.Config) { c.Compat = api.Fixed })
			send := func(method, root, path, body string) (int, map[string]any) {
				return sendJSON(t, method, url+root+"/wp-json/"+recording.DefaultNamespace+"/"+path, users, body)
			}

			for root, prefix := range map[string]string{"": "/venue/", "/en": "/en/venue/", "/de": "/de/venue/"} {
				status, venue := send("POST", root, "venues", fmt.Sprintf(`{"venue":"Place %s"}`, prefix))
				if at, _ := venue["url"].(string); status != http.StatusCreated || !strings.Contains(at, ".example"+prefix) {
					t.Errorf("venue made at the root %q: status %d, url %q", root, status, at)
				}
			}
			status, venue := send("POST", "", "venues?wpml_language=en", `{"venue":"Place by parameter"}`)
			if at, _ := venue["url"].(string); status != http.StatusCreated || !strings.Contains(at, ".example/en/venue/") {
				t.Errorf("venue made with the parameter: status %d, url %q", status, at)
			}

			_, first := send("POST", "", "tags", `{"name":"one name"}`)
			status, second := send("POST", "/en", "tags", `{"name":"one name"}`)
			if status != http.StatusCreated || second["id"] == first["id"] {
				t.Errorf("tag of the same name in another language: status %d, ids %v and %v", status, first["id"], second["id"])
			}
			if status, _ := send("POST", "/en", "tags", `{"name":"one name"}`); status != http.StatusBadRequest {
				t.Errorf("tag of the same name in the same language: status %d", status)
			}
			id := fmt.Sprintf("tags/%.0f", second["id"])
			if status, tag := send("PUT", "", id, `{"description":"changed"}`); status != http.StatusOK || tag["description"] != "changed" {
				t.Errorf("tag edited at another root than its language's: status %d, %v", status, tag)
			}
			if status, _ := send("DELETE", "", id, ""); status != http.StatusOK {
				t.Errorf("tag deleted at another root: status %d", status)
			}

			status, event := send("POST", "", "events", `{"title":"Two organizers","start_date":"2027-06-05 19:00:00","end_date":"2027-06-05 21:00:00",`+
				`"organizer":[{"organizer":"First of two"},{"organizer":"Second of two"}],"categories":["Of this event"]}`)
			organizers, _ := event["organizer"].([]any)
			categories, _ := event["categories"].([]any)
			if status != http.StatusCreated || len(organizers) != 2 || len(categories) != 1 || categories[0].(map[string]any)["count"] != 1.0 {
				t.Errorf("event with two organizers: status %d, %d organizers, categories %v", status, len(organizers), categories)
			}
		})
	}
}

// sendJSON sends a request as an administrator.
func sendJSON(t *testing.T, method, url string, site *recording.Site, body string) (int, map[string]any) {
	t.Helper()
	req, err := http.NewRequest(method, url, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Forwarded-Proto", "https")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	req.SetBasicAuth("admin", site.Users["admin"].ApplicationPassword)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		t.Fatalf("%s %s: status %d: %v", method, url, res.StatusCode, err)
	}
	return res.StatusCode, answer
}
