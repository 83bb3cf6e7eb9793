package systemtest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/wpstore/wptest"
)

// proxied is a site behind HAProxy, configured as in docker/haproxy: two instances behind one
// address, and their database behind another.
type proxied struct {
	t         *testing.T
	db        wptest.Database
	nodes     []*wptest.Node
	api       string // through the proxy
	dsn       string // through the proxy
	args      []string
	stats     string // socket
	instances [2]*child
	listen    [2][2]string // api, ops
}

// newProxied starts HAProxy and the instances. writable is a query that returns want on nodes
// that accept writes.
func newProxied(t *testing.T, db wptest.Database, nodes []*wptest.Node, writable, want string, more ...string) *proxied {
	t.Helper()
	program, err := exec.LookPath("haproxy")
	if err != nil {
		program, err = exec.LookPath("/usr/sbin/haproxy")
	}
	if err != nil {
		if os.Getenv("CALBRIDGE_REQUIRE_OPS") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	p := &proxied{t: t, db: db, nodes: nodes}
	address := func() string { return "127.0.0.1:" + strconv.Itoa(wptest.FreePort(t)) }
	api, database := address(), address()
	p.api, p.dsn = "http://"+api, strings.Replace(nodes[0].DSN("calendar"), nodes[0].Addr(), database, 1)
	p.stats = filepath.Join(shortDir(t), "stats")
	replace := []string{
		"192.0.2.10:8080", api, "192.0.2.10:3306", database, "inter 500ms", "inter 200ms", "maxconn 4000", "maxconn 4000\n    stats socket " + p.stats,
		"check   2s", "check   1m", // the machine may be slow
	}
	for i := range p.instances {
		p.listen[i] = [2]string{address(), address()}
		_, ops, _ := net.SplitHostPort(p.listen[i][1])
		replace = append(replace, fmt.Sprintf("192.0.2.1%d:8080 port 9464", i+1), p.listen[i][0]+" port "+ops)
	}
	for i := range 3 {
		from := fmt.Sprintf("192.0.2.2%d:3306 port 9200", i+1)
		if i >= len(nodes) {
			replace = append(replace, from, "127.0.0.1:1 port 1")
			continue
		}
		health := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if got, err := nodes[i].Text(writable); err != nil || got != want {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		}))
		t.Cleanup(health.Close)
		_, port, _ := net.SplitHostPort(health.Listener.Addr().String())
		replace = append(replace, from, nodes[i].Addr()+" port "+port)
	}
	text, err := os.ReadFile("../../../docker/haproxy/haproxy.cfg")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, []byte(strings.NewReplacer(replace...).Replace(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-db", "-q", "-f", file)
	log := &output{}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("HAProxy's log:\n%s", log)
		}
	})
	p.args = outageArgs(db, p.dsn, append([]string{"--writer-cookie", "--drain-delay", "3s", "--request-timeout", "1m"}, more...)...)
	for i := range p.instances {
		p.spawn(i)
	}
	for i := range p.instances {
		p.awaitUp(i)
	}
	return p
}

// spawn starts an instance as soon as the proxy reaches a database.
func (p *proxied) spawn(i int) {
	p.t.Helper()
	waitFor(p.t, func() bool {
		conn, err := net.DialTimeout("tcp", strings.Split(strings.Split(p.dsn, "(")[1], ")")[0], time.Second)
		if err != nil {
			return false
		}
		defer conn.Close()
		_ = conn.SetReadDeadline(time.Now().Add(time.Second))
		n, _ := conn.Read(make([]byte, 1)) // the server's greeting
		return n == 1
	})
	p.instances[i] = spawn(p.t, nil, append(p.args, "--listen", p.listen[i][0], "--ops-listen", p.listen[i][1])...)
}

// awaitUp waits until the proxy sends requests to an instance.
func (p *proxied) awaitUp(i int) {
	p.t.Helper()
	waitFor(p.t, func() bool {
		conn, err := net.Dial("unix", p.stats)
		if err != nil {
			return false
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "show stat -1 4 -1\n")
		text, _ := io.ReadAll(conn)
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, fmt.Sprintf("calbridge,cal%d,", i+1)) {
				return strings.Contains(line, ",UP,")
			}
		}
		return false
	})
}

// restart restarts all instances one after the other under load. It checks that no request
// fails.
func (p *proxied) restart(k *killer) {
	p.t.Helper()
	rounds := 1
	if os.Getenv("CALBRIDGE_LONG") != "" {
		rounds = 20
	}
	l := k.begin(p.api, 4, 2)
	l.served(p.t, 10, true)
	for range rounds {
		for i, c := range p.instances {
			c.signal(syscall.SIGTERM)
			if err := c.wait(2 * time.Minute); err != nil {
				p.t.Errorf("instance %d ends with %v", i+1, err)
			}
			p.spawn(i)
			p.awaitUp(i)
			l.served(p.t, 10, true)
		}
	}
	l.end()
	reads, writes := worse(l.answers)
	p.t.Logf("restarted %d times each: of %d requests %d reads and %d writes failed", rounds, len(l.answers), reads, writes)
	if reads+writes > 0 {
		p.t.Error("a request failed")
	}
}

// ownWrites writes through one instance and reads through the other, as a user and as that
// user's browser. It checks that each response shows the write, even if the caches don't
// notice the change.
func (p *proxied) ownWrites(k *killer) {
	p.t.Helper()
	p.ownWritesThrough(k, "http://"+p.listen[0][0], "http://"+p.listen[1][0])
	timed := append(p.args, "--cache", "timed", "--cache-max-age", "1h")
	one, two := start(p.t, nil, timed...), start(p.t, nil, timed...)
	if stale := p.ownWritesThrough(k, one.api, two.api); stale == 0 {
		p.t.Error("strangers see every write too: this proves nothing")
	}
	one.cancel()
	two.cancel()
}

func (p *proxied) ownWritesThrough(k *killer, writer, reader string) (stale int) {
	p.t.Helper()
	events := "/wp-json/tribe/events/v1/events/"
	id, err := p.nodes[0].Text("SELECT ID FROM calendar.wp_posts WHERE post_type = 'tribe_events' AND post_status = 'publish' AND post_parent = 0 ORDER BY ID LIMIT 1")
	if err != nil {
		p.t.Fatal(err)
	}
	one, two := writer+events+id, reader+events+id
	client := http.Client{Timeout: 2 * time.Minute}
	const rounds = 20
	for round := range rounds {
		title := fmt.Sprintf("Own %d at %s", round, reader[len(reader)-5:])
		fetch(p.t, two) // so that it is cached there
		req, _ := http.NewRequest(http.MethodPut, one, strings.NewReader(`{"title":"`+title+`"}`))
		for c := k.credentials(); len(c) > 0; c = c[2:] {
			req.Header.Set(c[0], c[1])
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			p.t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK || len(resp.Cookies()) == 0 {
			p.t.Fatalf("a write: %s, cookies %v", resp.Status, resp.Cookies())
		}
		cookie := resp.Cookies()[0].Name + "=" + resp.Cookies()[0].Value
		want := `"title":"` + title + `"`
		if resp, body := fetch(p.t, two, "Cookie", cookie); resp.StatusCode != 200 || !strings.Contains(body, want) {
			p.t.Errorf("round %d: the browser does not see its write: %s", round, resp.Status)
		}
		if resp, body := fetch(p.t, two, k.credentials()...); resp.StatusCode != 200 || !strings.Contains(body, want) {
			p.t.Errorf("round %d: the user does not see the write: %s", round, resp.Status)
		}
		if _, body := fetch(p.t, two, "X-Forwarded-For", "192.0.2.77"); !strings.Contains(body, want) {
			stale++ // allowed
		}
	}
	p.t.Logf("strangers that came too early: %d of %d", stale, rounds)
	return stale
}

// started returns the instances, each with a name.
func (p *proxied) started() map[settings.CacheMode]*started {
	return map[settings.CacheMode]*started{"auto 1": p.instances[0].started, "auto 2": p.instances[1].started}
}

// judged returns a failover that changes an event by SQL and compares its responses.
func (p *proxied) judged() *failover {
	p.t.Helper()
	event, err := p.nodes[0].Text("SELECT ID FROM calendar.wp_posts WHERE post_type = 'tribe_events' AND post_status = 'publish' AND post_parent = 0 ORDER BY ID LIMIT 1")
	if err != nil {
		p.t.Fatal(err)
	}
	return &failover{t: p.t, nodes: p.nodes, event: event}
}

// TestBehindHAProxy tests two instances in front of a primary and its replica that share
// nothing but the proxy.
func TestBehindHAProxy(t *testing.T) {
	if testing.Short() {
		t.Skip("starts two servers")
	}
	t.Parallel()
	primary, replicas := wptest.StartReplication(t, 1)
	db := primary.Site("mono")
	primary.Exec("GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO site@'%'")
	replicas[0].CatchUp(primary)
	nodes := []*wptest.Node{primary, replicas[0]}
	p := newProxied(t, db, nodes, "SELECT @@read_only", "0", "--replica-dsn", dsns(nodes...))
	k := newOutageKiller(t, db)
	f := p.judged()
	f.judge(p.started())
	p.ownWrites(k)
	p.restart(k)
	f.judge(p.started())

	// The primary dies with a change that the replica lacks but the caches have.
	kept := f.change()
	replicas[0].CatchUp(primary)
	replicas[0].Exec("STOP SLAVE")
	lost := f.change()
	for name, s := range p.started() {
		t.Logf("%s: shows the last change after %s", name, f.awaitShown(s, lost).Round(time.Millisecond))
	}
	primary.Kill()
	replicas[0].Promote()
	f.nodes = []*wptest.Node{replicas[0]}
	for name, s := range p.started() {
		t.Logf("%s: shows what the new primary has after %s", name, f.awaitShown(s, kept).Round(time.Millisecond))
	}
	for range 50 { // the lost change never reappears
		for name, s := range p.started() {
			if f.shows(s, lost) {
				t.Errorf("%s shows a change that is lost", name)
			}
		}
	}
	f.judge(p.started())
}

// TestGaleraBehindHAProxy tests two instances in front of a cluster of three nodes.
func TestGaleraBehindHAProxy(t *testing.T) {
	if testing.Short() {
		t.Skip("starts three servers")
	}
	t.Parallel()
	nodes := startGalera(t, 3)
	db := nodes[0].Site("mono")
	nodes[0].Exec("GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO site@'%'")
	t.Run("conflict at COMMIT", func(t *testing.T) { testConflictAtCommit(t, nodes) })
	t.Run("two nodes written", func(t *testing.T) { testTwoNodesWritten(t, db, nodes[:2]) })
	for _, n := range nodes[1:] {
		n.Await("SELECT COUNT(*) FROM information_schema.user_privileges WHERE grantee LIKE '\\'site\\'%' AND privilege_type = 'REPLICATION SLAVE'", "1")
	}
	const synced = "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'WSREP_LOCAL_STATE_COMMENT'"
	p := newProxied(t, db, nodes, synced, "Synced", "--replica-dsn", dsns(nodes...))
	k := newOutageKiller(t, db)
	f := p.judged()
	f.judge(p.started())
	p.ownWrites(k)
	p.restart(k)
	nodes[0].Kill()
	f.nodes = nodes[1:]
	f.nodes[0].Await("SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'WSREP_CLUSTER_SIZE'", "2")
	want := f.change()
	for name, s := range p.started() {
		t.Logf("%s: shows what the other nodes have after %s", name, f.awaitShown(s, want).Round(time.Millisecond))
	}
	f.judge(p.started())
}
