package systemtest

import (
	"path/filepath"
	"testing"
	"time"

	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// serveAll runs the program over all sites of the network, answering as the reference, exactly.
func (n *network) serveAll(t *testing.T, db wptest.Database, more ...string) *started {
	t.Helper()
	return start(t, nil, n.allArgs(t, db, more...)...)
}

// allArgs returns the command line of a process that serves the whole network.
func (n *network) allArgs(t *testing.T, db wptest.Database, more ...string) []string {
	t.Helper()
	profile := buildProfileFile(t, testdata.Shared(t), "network", "mono/*.jsonl.gz")
	return append([]string{"serve", "--network", "--wp-config", n.config(t), "--dsn", db.DSN,
		"--namespace", recording.DefaultNamespace, "--compat", "exact", "--profile", profile, "--clock", db.Now().Format(time.RFC3339),
		"--request-timeout", "1m", "--pool-wait", "1m"}, more...)
}

// TestServeNetwork replays all reads of the recorded network against one process, those of sites that
// are closed and of hosts and folders that are unknown too.
func TestServeNetwork(t *testing.T) {
	oneAtATime(t)
	n := readNetwork(t)
	for _, engine := range replayEngines() {
		t.Run(engine, func(t *testing.T) {
			server := n.serveAll(t, wptest.Site(t, engine, "network"))
			replayOf(t, engine, "network", replay.Options{
				Target:     server.api,
				Recordings: []string{testdata.Shared(t, "recordings", "network", "network.jsonl.gz")},
				Site:       testdata.Shared(t, "sites", "network.json"),
			})
		})
	}
}

// TestNetworkWrites sends every recorded write of the network to one process over a pristine dump, and
// compares the responses and every row of the database, those of the other sites and of the network
// included.
func TestNetworkWrites(t *testing.T) {
	oneAtATime(t)
	n := readNetwork(t)
	for _, engine := range replayEngines() {
		t.Run(engine, func(t *testing.T) {
			db := wptest.SiteCopy(t, engine, "network")
			client := newWriteClient(t, testdata.Shared(t), "network", n.serveAll(t, db, "--cache", "off", "--record-password-use=false").api)
			client.file = filepath.Join(testdata.Shared(t, "recordings", "network"), "network-writes.jsonl.gz")
			replayWrites(t, client, db)
		})
	}
}

// TestServeActiveNetwork replays the reads of a network that has activated the calendar for all its
// sites, against one process.
func TestServeActiveNetwork(t *testing.T) {
	oneAtATime(t)
	n := readNetwork(t)
	for _, engine := range replayEngines() {
		t.Run(engine, func(t *testing.T) {
			db := wptest.SiteCopy(t, engine, "network")
			n.activate(t, openStore(t, db))
			replayOf(t, engine, "network", replay.Options{
				Target:     n.serveAll(t, db).api,
				Recordings: []string{testdata.Shared(t, "recordings", "network", "network-active.jsonl.gz")},
				Site:       testdata.Shared(t, "sites", "network.json"),
			})
		})
	}
}
