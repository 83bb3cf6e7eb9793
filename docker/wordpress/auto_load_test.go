package wordpress_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/rest/proof"
)

// loadHook is a plugin that changes answers of WordPress while requests and writes go on.
type loadHook struct {
	name, code string
	// closePHP and closeSQL close an event, openPHP and openSQL open it: an expression and
	// a statement. They are empty if the plugin closes no events.
	closePHP, closeSQL, openPHP, openSQL string
	// field is the key that the plugin adds to an event; "" if it adds none.
	field string
}

func loadHooks() []loadHook {
	return []loadHook{
		{name: "none"},
		{name: "events closed by meta", code: strings.Replace(guard, "KEY", "_members_only", 1),
			closePHP: `update_post_meta(%d, '_members_only', '1')`, openPHP: `delete_post_meta(%d, '_members_only')`,
			closeSQL: `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, '_members_only', '1')`, openSQL: `DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key = '_members_only'`},
		{name: "events closed by another table", code: `<?php
add_filter('tribe_rest_event_data', static function ($data) {
	global $wpdb;
	$closed = $wpdb->get_var($wpdb->prepare('SELECT 1 FROM wp_members_guards WHERE event_id = %d', $data['id']));
	return $closed ? new WP_Error('members', 'For members.', ['status' => 401]) : $data;
});
`,
			closePHP: `$GLOBALS['wpdb']->query('REPLACE INTO wp_members_guards (event_id) VALUES (%d)')`, openPHP: `$GLOBALS['wpdb']->query('DELETE FROM wp_members_guards WHERE event_id = %d')`,
			closeSQL: `REPLACE INTO wp_members_guards (event_id) VALUES (?)`, openSQL: `DELETE FROM wp_members_guards WHERE event_id = ?`},
		{name: "field from meta", field: `"dress_code":`, code: `<?php
add_filter('tribe_rest_event_data', static function ($data) {
	$data['dress_code'] = get_post_meta($data['id'], '_dress_code', true);
	return $data;
});
`},
	}
}

// autoLoad sends requests to calbridge in front of a WordPress whose rows change.
type autoLoad struct {
	*autoSite
	hook   loadHook
	active bool // the hook
	titles map[int64]string
	closed map[int64]bool

	asked, native, writes int
	shown, wrong          int // natively
	since                 time.Time
	longest               time.Duration // until the last wrong answer after a write or a change of code
}

// change changes an event, or whether it is closed: by PHP or by SQL.
func (l *autoLoad) change() {
	l.t.Helper()
	id, byPHP := l.events[rand.IntN(len(l.events))], rand.IntN(2) == 0
	l.writes++
	switch what := rand.IntN(3); {
	case l.active && l.hook.closePHP != "" && what > 0:
		expression, statement := l.hook.openPHP, l.hook.openSQL
		closes := !l.closed[id] && rand.IntN(2) == 0
		if closes {
			expression, statement = l.hook.closePHP, l.hook.closeSQL
		}
		if byPHP {
			l.php(expression, id)
		} else {
			l.sql(statement, id)
		}
		l.closed[id] = closes
	default:
		title := fmt.Sprint("Title ", rand.IntN(1e9))
		if byPHP {
			l.php(`[wp_update_post(['ID' => %[1]d, 'post_title' => '%[2]s']), update_post_meta(%[1]d, '_EventURL', 'https://event.example/%[3]d'), update_post_meta(%[1]d, '_dress_code', '%[2]s')]`, id, title, rand.IntN(1e6))
		} else {
			l.sql("UPDATE wp_posts SET post_title = ? WHERE ID = ?", title, id)
		}
		l.titles[id] = title
	}
	l.since = time.Now()
}

// load sends requests, with a write after every so many; 0 means no writes.
func (l *autoLoad) load(requests, every int) {
	l.t.Helper()
	targets := l.targets()
	for range requests {
		if every > 0 && rand.IntN(every) == 0 {
			l.change()
		}
		asked := time.Now()
		status, native, _, body := l.get(targets[rand.IntN(len(targets))])
		l.asked++
		if !native {
			continue
		}
		l.native++
		ids := shown(body)
		delete(ids, 0)
		wrong := status != http.StatusOK || l.active && l.hook.field != "" && strings.Contains(body, `"title"`) && !strings.Contains(body, l.hook.field)
		for id := range ids {
			wrong = wrong || !strings.Contains(body, `"title":"`+l.titles[id]+`"`)
			if l.active && l.closed[id] {
				l.shown++
			}
		}
		if wrong {
			l.wrong++
			l.longest = max(l.longest, asked.Sub(l.since))
		}
	}
}

// activate writes the plugin's file or removes it, and waits until calbridge has noticed.
func (l *autoLoad) activate(on bool) {
	l.t.Helper()
	if l.hook.code == "" {
		return
	}
	for id, closed := range l.closed {
		if closed {
			l.php(l.hook.openPHP, id)
			l.closed[id] = false
		}
	}
	before := l.report().Endings[proof.EndFacts]
	const file = "wp-content/mu-plugins/guard.php"
	if l.remove(file); on {
		l.write(file, l.hook.code)
	}
	for end := time.Now().Add(time.Minute); l.report().Endings[proof.EndFacts] == before; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			l.t.Fatal("calbridge doesn't notice that code has changed")
		}
	}
	time.Sleep(phpLooks) // PHP keeps running the old version of a changed file
	l.active, l.since = on, time.Now()
}

// TestAutoLoadBesidePHP sends 20,000 requests for each of several plugins to calbridge in
// front of WordPress, with writes by PHP and by SQL in between. No closed event may be
// shown.
func TestAutoLoadBesidePHP(t *testing.T) {
	if os.Getenv("CALBRIDGE_LONG") == "" {
		t.Skip("takes many minutes: set CALBRIDGE_LONG=1")
	}
	const requests, every = 20_000, 80
	s := newAutoSite(t, "--cache", "strict", "--proof-sample", "1")
	s.remove("wp-content/object-cache.php") // PHP must see rows written by SQL
	s.sql("CREATE TABLE wp_members_guards (event_id bigint PRIMARY KEY)")
	titles := map[int64]string{}
	for i, id := range s.events {
		titles[id] = fmt.Sprint("Event ", i)
	}
	for _, h := range loadHooks() {
		l := &autoLoad{autoSite: s, hook: h, titles: titles, closed: map[int64]bool{}, since: time.Now()}
		before, begin := s.report(), time.Now()
		s.prove()
		l.load(requests/4, every)
		l.activate(true)
		l.load(requests/2, every)
		inForce := 100 * float64(l.native) / float64(l.asked)
		l.activate(false)
		l.load(requests/4, every)
		s.prove()
		total, wrong := l.asked, l.wrong
		l.asked, l.native = 0, 0
		l.load(500, 0)
		share := 100 * float64(l.native) / float64(l.asked)
		after := s.report()
		var endings []string
		for why, n := range after.Endings {
			endings = append(endings, fmt.Sprint(why, " ", n-before.Endings[why]))
		}
		slices.Sort(endings)
		t.Logf("%-32s %d requests, %d writes, %s: %d closed events shown; %d wrong, the last after %s; native %.1f %% up to the end of the plugin, %.1f %% after; ended: %s",
			h.name, total, l.writes, time.Since(begin).Round(time.Second), l.shown, wrong, l.longest, inForce, share, strings.Join(endings, ", "))
		if l.shown > 0 {
			t.Errorf("%s: %d closed events shown", h.name, l.shown)
		}
		if l.wrong > 0 {
			t.Errorf("%s: %d wrong answers", h.name, l.wrong)
		}
		if share < 98 {
			t.Errorf("%s: %.1f %% answered natively at the end", h.name, share)
		}
	}
}
