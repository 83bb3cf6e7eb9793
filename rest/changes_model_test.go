package rest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/wpstore/journal"
)

// TestChangesModel: whatever is written, by calbridge or by SQL as WordPress does, in whatever
// order with requests, restarts, set-back servers and lost journals: after each sync a client's
// copy is the list. It has MariaDB and its binary log; TestChangesInterleavings has the numbers.
// CALBRIDGE_CHANGES_ROUNDS is how many times writes, requests and the rest are interleaved and a
// copy is compared, CALBRIDGE_CHANGES_SEED the first of the seeds.
func TestChangesModel(t *testing.T) {
	rounds := 200
	switch {
	case os.Getenv("CALBRIDGE_LONG") != "":
		rounds = 5000
	case testing.Short():
		rounds = 40
	}
	rounds = envNumber(t, "CALBRIDGE_CHANGES_ROUNDS", rounds)
	seed := envNumber(t, "CALBRIDGE_CHANGES_SEED", 1)
	const each = 2000
	total := map[string]int{}
	for done := 0; done < rounds; done += each {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			newChangesModel(t, uint64(seed), newChangesSite(t)).runRounds(min(each, rounds-done), total)
		})
		if t.Failed() {
			return
		}
		seed++
	}
	t.Log(total)
	if total["incremental"] < total["syncs"]/2 {
		t.Error("more than half of the copies started over")
	}
}

// changesModel is a random history of a site and its clients.
type changesModel struct {
	maker
	*changesSite
	clients []*syncer
	log     []string
	backup  string // of the journal's folder, of some time; "" for none
	seed    uint64
	or      string // what SQLite has before IGNORE
	between *interruption
}

func newChangesModel(t *testing.T, seed uint64, s *changesSite) *changesModel {
	m := &changesModel{maker: maker{rand.New(rand.NewPCG(seed, 21))}, changesSite: s, seed: seed, between: &interruption{}}
	if s.rows != nil {
		m.or = "OR "
	}
	m.exec("CREATE TABLE wp_unrelated (id int)")
	m.exec("INSERT INTO wp_unrelated VALUES (1)")
	for range 12 {
		m.clients = append(m.clients, m.client())
	}
	return m
}

// runRounds adds to a total how often what happened.
func (m *changesModel) runRounds(rounds int, total map[string]int) {
	m.t.Helper()
	defer func() {
		if m.t.Failed() {
			m.t.Logf("seed %d, after\n%s", m.seed, strings.Join(m.log[max(0, len(m.log)-60):], "\n"))
		}
	}()
	for i := range rounds {
		m.log = append(m.log, fmt.Sprint("-- ", i))
		if m.round(i); m.t.Failed() {
			return
		}
	}
	for _, r := range m.clients {
		for reason, n := range r.reasons {
			total[reason] += n
		}
	}
	total["syncs"] += rounds
}

// round makes some writes, some pages for some clients, and a copy that is compared.
func (m *changesModel) round(i int) {
	switch {
	case m.chance(2):
		m.restart()
	case m.chance(3):
		hours := 1 + m.IntN(30)
		m.note("-- %d hours pass", hours)
		m.late.Add(int64(hours) * 3600)
	}
	writes := m.IntN(4)
	if m.chance(10) {
		m.meanwhile()
	}
	for range writes {
		m.write()
		if m.rows != nil && m.chance(20) {
			m.apply()
		}
		if m.chance(40) {
			m.step(oneOf(m.maker, m.clients...))
		}
	}
	at := m.IntN(len(m.clients))
	if i%40 == 39 { // somebody else
		old := m.clients[at]
		m.clients[at] = m.client()
		for reason, n := range old.reasons {
			m.clients[at].reasons[reason] = n
		}
	}
	r := m.clients[at]
	incremental, restarts := r.sync != "", r.restarts
	m.note("-- %q as %q syncs", r.args, r.as)
	if !r.finish(m.t, m.changesSite) {
		return // its arguments name what isn't there any more
	}
	if incremental && r.restarts == restarts {
		r.reasons["incremental"]++
	}
	if d := r.differs(m.changesSite); d != "" {
		m.t.Errorf("%s", d)
	}
}

// meanwhile asks while statements run: on the embedded engine between two queries of a request,
// elsewhere in another goroutine.
func (m *changesModel) meanwhile() {
	writes := make([][]string, 5+m.IntN(10))
	for i := range writes {
		writes[i] = m.statement()
	}
	run := func(writes ...[]string) {
		for _, w := range writes {
			_ = runStatements(m.SQL(), w, false)
		}
	}
	m.note("-- at the same time: %s", writes)
	if m.rows == nil {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			run(writes...)
		}()
		for range 3 + m.IntN(8) {
			m.step(oneOf(m.maker, m.clients...))
		}
		<-ended
		return
	}
	for _, w := range writes {
		after := 1 + m.IntN(12)
		m.note("-- %s, after query %d of", w, after)
		m.between.arm(after, func() { run(w) })
		m.step(oneOf(m.maker, m.clients...))
		m.between.arm(0, nil)
	}
}

// apply applies some of the log, before a request needs it.
func (m *changesModel) apply() {
	rows := 1 + m.IntN(6)
	m.note("-- %d rows of the log are applied", rows)
	if err := m.rows.apply(m.t.Context(), rows); err != nil {
		m.t.Fatal(err)
	}
	if _, err := m.journal.Settle(m.t.Context()); err != nil && !errors.Is(err, journal.ErrNotReady) {
		m.t.Fatal(err)
	}
}

func (m *changesModel) note(format string, args ...any) {
	m.log = append(m.log, fmt.Sprintf(format, args...))
}

func (m *changesModel) step(r *syncer) {
	m.note("-- %q as %q asks", r.args, r.as)
	r.step(m.t, m.changesSite)
}

// client returns one with random arguments.
func (m *changesModel) client() *syncer {
	args := []string{fmt.Sprint("per_page=", 1+m.IntN(8))}
	add := func(percent int, arg string) {
		if m.chance(percent) {
			args = append(args, arg)
		}
	}
	as := oneOf(m.maker, "", "", "", "sona", "karel", "alois", "edita", "adela")
	add(60, "start_date=2020-01-01")
	add(15, "end_date=2027-01-01")
	add(10, "starts_after=2026-11-20")
	add(10, "ends_before=2026-12-24")
	add(15, oneOf(m.maker, "categories=31", "categories=32,33", "categories=music"))
	add(10, oneOf(m.maker, "tags=41", "tags=42"))
	add(10, oneOf(m.maker, "venue=201", "venue=202", "venue=201,205"))
	add(10, oneOf(m.maker, "organizer=301", "organizer=302"))
	add(5, "featured=true")
	add(5, "post_parent=104")
	add(5, "include=101,103,105,108")
	add(5, "search=mill")
	if as != "" && as != "sona" {
		add(40, oneOf(m.maker, "status=draft", "status=publish,draft,private", "status=pending,future,trash"))
	}
	return newSyncer(as, strings.Join(args, "&"))
}

// restart ends the journal and the feed, and begins again, after what may have happened
// meanwhile.
func (m *changesModel) restart() {
	if m.rows != nil && m.chance(50) {
		m.kill()
	} else {
		m.stop()
	}
	switch m.IntN(12) {
	case 0:
		m.note("-- the journal goes back to an earlier restart")
		if m.backup != "" {
			m.copyFolder(m.backup, m.dir)
		}
	case 1:
		m.note("-- the journal is lost")
		if err := os.RemoveAll(m.dir); err != nil {
			m.t.Error(err)
		}
	case 2:
		m.note("-- the log starts over")
		if m.rows != nil {
			m.rows.forget()
		} else {
			m.exec("RESET MASTER")
		}
	case 3:
		m.note("-- a file of the log")
		if m.rows == nil {
			m.exec("FLUSH BINARY LOGS")
		}
	case 4:
		m.note("-- an option")
		m.exec(fmt.Sprintf("UPDATE wp_options SET option_value = '%s' WHERE option_name = 'blogname'", m.words(2)))
	case 5:
		file := filepath.Join(m.dir, "journal.sqlite")
		if data, err := os.ReadFile(file); err == nil && len(data) > 0 {
			m.note("-- the journal is damaged")
			from := m.IntN(len(data))
			clear(data[from:min(len(data), from+m.IntN(20_000))])
			if err := os.WriteFile(file, data, 0o600); err != nil {
				m.t.Error(err)
			}
		}
	}
	for range m.IntN(4) {
		m.run(m.statement())
	}
	if m.chance(30) {
		m.backup = m.t.TempDir()
		m.copyFolder(m.dir, m.backup)
	}
	m.note("-- restart")
	m.start()
}

// kill ends the journal and leaves its folder as a process does that is killed: nothing is
// written at that moment, so it is a copy from before the end.
func (m *changesModel) kill() {
	m.note("-- it is killed")
	left := m.t.TempDir()
	_, _ = m.journal.Settle(m.t.Context())
	m.copyFolder(m.dir, left)
	m.stop()
	m.copyFolder(left, m.dir)
}

func (m *changesModel) copyFolder(from, to string) {
	m.t.Helper()
	if err := os.RemoveAll(to); err != nil {
		m.t.Fatal(err)
	}
	if _, err := os.Stat(from); err != nil {
		return
	}
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		m.t.Fatalf("%v: %s", err, out)
	}
}
