package sqlconn

import (
	"errors"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/wptest"
)

// leads waits until a server has the role of the primary.
func (r *replicated) leads(name string) {
	r.t.Helper()
	for end := time.Now().Add(30 * time.Second); r.cluster.leader().name != name; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatalf("the primary is %s, want %s", r.cluster.leader().name, name)
		}
	}
}

// stays fails if another server gets the role of the primary within a few looks.
func (r *replicated) stays(name, why string) {
	r.t.Helper()
	for end := time.Now().Add(silenceBefore + 4*watchPause); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if got := r.cluster.leader().name; got != name {
			r.t.Fatalf("%s: the primary is %s", why, got)
		}
	}
}

// TestSuccession: a replica has the role of the primary when it was promoted, and
// not for being writable.
func TestSuccession(t *testing.T) {
	if testing.Short() {
		t.Skip("starts two servers")
	}
	primary, replicas := wptest.StartReplication(t, 1)
	heir := replicas[0]
	primary.Exec("CREATE DATABASE calendar CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci",
		"CREATE USER reader@'%' IDENTIFIED BY 'pass'", "GRANT SELECT ON *.* TO reader@'%'")
	db := openReplicated(t, primary.DSN("calendar"), nil, heir)
	if err := createOptions(db.Servers); err != nil {
		t.Fatal(err)
	}
	if err := db.write("probe", "first"); err != nil {
		t.Fatal(err)
	}
	db.caughtUp(replicas, "first")
	reader := openReplicated(t, primary.DSN("calendar"), func(c *Config) {
		c.Replicas = []string{strings.Replace(heir.DSN("calendar"), "site:", "reader:", 1)}
	})
	db.inUse("replica1")
	reader.inUse("replica1")

	heir.Exec("SET GLOBAL read_only = 0")
	db.stays(PrimaryName, "a replica that can be written")
	heir.Exec("SET GLOBAL read_only = 1")
	primary.Kill()
	db.stays(PrimaryName, "the primary is dead, and nobody was promoted")
	heir.Exec("SET GLOBAL read_only = 0")
	db.stays(PrimaryName, "the primary is dead, and the replica still follows it")
	heir.Promote()
	db.leads("replica1")
	if err := db.write("probe", "second"); err != nil {
		t.Errorf("a write after the promotion: %v", err)
	}
	db.mustRead(true, "second")
	reader.stays(PrimaryName, "nothing may be written to the replica")
	if err := reader.write("probe", "third"); !errors.Is(err, wpstore.ErrUnavailable) {
		t.Errorf("a write without a primary: %v", err)
	}

	primary.Start()
	primary.Await("SELECT 1", "1")
	db.stays("replica1", "the old primary comes back, and can be written")
	primary.Follow(heir)
	db.stays("replica1", "the old primary is a replica")
	// A process that starts now finds the new primary too.
	later := openReplicated(t, primary.DSN("calendar"), nil, heir)
	later.leads("replica1")

	// And back.
	heir.Exec("SET GLOBAL read_only = 1")
	position, err := heir.Text("SELECT @@gtid_current_pos")
	if err != nil {
		t.Fatal(err)
	}
	primary.Await("SELECT MASTER_GTID_WAIT('"+position+"', 10)", "0")
	primary.Promote()
	heir.Follow(primary)
	db.leads(PrimaryName)
	later.leads(PrimaryName)
	if err := db.write("probe", "fourth"); err != nil {
		t.Errorf("a write after the way back: %v", err)
	}
	db.mustRead(true, "fourth")
}
