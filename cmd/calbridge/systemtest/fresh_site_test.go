package systemtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/wpauth"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// TestStrictWritesAndUsers changes an option, a user's application password and the user's
// rights by SQL, and writes immediately afterwards. It checks that in strict mode each request
// sees all changes, however long --site-refresh is, and that the default mode sees them soon,
// even with --site-refresh of an hour.
func TestStrictWritesAndUsers(t *testing.T) {
	s := newCoherentSite(t, wptest.Replicated(t), 20)
	stored := func(password string) string {
		return phpserial.Serialize(php.List(php.Pairs("uuid", "00000000-0000-4000-8000-000000000000", "name", "x", "password", wpauth.FastHash(password))))
	}
	if err := synthetic.AddAdministrator(t.Context(), s.db, "wp_", "boss", stored("first")); err != nil {
		t.Fatal(err)
	}
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := s.db.ExecContext(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	zones := []string{"Europe/Prague", "America/New_York", "Asia/Tokyo", "UTC"}
	utc := []string{"2027-01-10 09:00:00", "2027-01-10 15:00:00", "2027-01-10 01:00:00", "2027-01-10 10:00:00"}
	for _, mode := range []settings.CacheMode{settings.CacheStrict, settings.CacheAuto} {
		s.refresh = time.Hour
		cached, _ := s.keeping(t, mode)
		post := func(password string) (status int, start string) {
			r := httptest.NewRequest(http.MethodPost, "/wp-json/calendar/events/v1/events", strings.NewReader(`{"title":"x","start_date":"2027-01-10 10:00:00","end_date":"2027-01-10 11:00:00"}`))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", basicHeader("boss", password))
			w := httptest.NewRecorder()
			cached.ServeHTTP(w, r)
			var event struct {
				Start string `json:"utc_start_date"`
			}
			_ = json.Unmarshal(w.Body.Bytes(), &event)
			return w.Code, event.Start
		}
		var late []time.Duration
		// expect writes until the outcome is the wanted one. In strict mode the first must be.
		expect := func(change, password string, status int, start string) {
			t.Helper()
			for changed := time.Now(); ; {
				gotStatus, gotStart := post(password)
				if gotStatus == status && gotStart == start {
					late = append(late, time.Since(changed))
					return
				}
				if mode == settings.CacheStrict || time.Since(changed) > time.Minute {
					t.Fatalf("%s, %s: %d, %s, want %d, %s", mode, change, gotStatus, gotStart, status, start)
				}
			}
		}
		changes := map[settings.CacheMode]int{settings.CacheStrict: 200, settings.CacheAuto: 40}[mode]
		for i := range changes {
			password := fmt.Sprint(mode, i)
			exec("UPDATE wp_options SET option_value = ? WHERE option_name = 'timezone_string'", zones[i%4])
			exec("UPDATE wp_usermeta SET meta_value = ? WHERE user_id = 1 AND meta_key = '_application_passwords'", stored(password))
			expect("option and password", password, http.StatusCreated, utc[i%4])
			if i%10 == 0 {
				exec("UPDATE wp_usermeta SET meta_key = 'former' WHERE user_id = 1 AND meta_key = 'wp_capabilities'")
				expect("rights taken", password, http.StatusForbidden, "")
				exec("UPDATE wp_usermeta SET meta_key = 'wp_capabilities' WHERE user_id = 1 AND meta_key = 'former'")
				expect("rights given", password, http.StatusCreated, utc[i%4])
			}
		}
		slices.Sort(late)
		t.Logf("%s: %d writes by what had just changed, after %s at the median, %s at most", mode, len(late), late[len(late)/2].Round(time.Microsecond), late[len(late)-1].Round(time.Microsecond))
	}
}
