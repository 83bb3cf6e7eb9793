package main

// engine is a row: a server, and how the row differs from other rows with that server.
type engine struct {
	name     string
	download string   // name of .ci/engines, "" for the server on the PATH
	options  string   // further arguments of the server
	galera   bool     // a cluster of one node
	login    string   // how tests log in
	brief    bool     // the smoke set is enough
	golang   string   // release of Go to build with, "" for the installed one
	columns  []string // nil means all
	tests    map[string]string
	without  map[string]string // columns that make no sense here, and why
}

// rows returns the engines, then variants of them.
func rows() []engine {
	noFeed := "not followed: `check` says so, before MySQL 5.7"
	some := []string{"reads", "writes", "own writes", "feed", "coherence"}
	all := []engine{
		{name: "MariaDB 10.11"},
		{name: "MariaDB 10.11, Go 1.27", golang: "go1.27.0", columns: []string{"texts", "reads", "writes"}},
		{name: "MariaDB 11.8", download: "mariadb"},
		{name: "MySQL 5.6", download: "mysql-5.6", without: map[string]string{"own writes": noFeed, "feed": noFeed, "coherence": noFeed}},
		{name: "MySQL 9.7", download: "mysql"},
		{name: "Galera 26.4", columns: []string{"coherence", "kills"}, tests: map[string]string{"coherence": "^TestCoherenceOnGalera$", "kills": "^TestGalera"}},
		{name: "Galera 26.4, one node", galera: true, columns: []string{"reads", "writes"}},
		{name: "primary and replicas", columns: []string{"coherence", "faults", "kills"}, tests: map[string]string{
			"coherence": "^TestCoherenceOnReplicas$", "faults": "^TestReplicationUnderLoad$", "kills": "^TestCacheFollowsThePrimary$"}},
	}
	for _, server := range all[:5] {
		if server.download == "mariadb" || server.golang != "" {
			continue
		}
		isMySQL, is56 := server.download != "", server.download == "mysql-5.6"
		variant := func(label, options, login string) {
			v := server
			v.name, v.options, v.login, v.columns, v.brief = server.name+", "+label, options, login, some, true
			all = append(all, v)
		}
		for _, mode := range []string{"STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "ONLY_FULL_GROUP_BY", "NO_ZERO_DATE,NO_ZERO_IN_DATE,STRICT_TRANS_TABLES", "PAD_CHAR_TO_FULL_LENGTH,HIGH_NOT_PRECEDENCE,PIPES_AS_CONCAT"} {
			if !is56 {
				variant("`sql_mode="+mode+"`", "--sql-mode="+mode, "")
			}
		}
		variant("`character_set_server=utf8mb3`", map[bool]string{false: "--character-set-server=utf8mb3 --collation-server=utf8mb3_general_ci", true: "--character-set-server=utf8 --collation-server=utf8_general_ci"}[is56], "")
		variant("`lower_case_table_names=1`", "--lower-case-table-names=1", "")
		if !is56 { // its TLS is older than what Go accepts
			variant("TLS required", "", "tls")
		}
		switch {
		case !isMySQL:
			variant("ed25519", "", "ed25519")
		case !is56:
			variant("caching_sha2_password", "", "caching_sha2_password")
		}
	}
	return all
}

// column is a set of tests.
type column struct {
	name    string
	folders []string // of the packages
	tests   string
	smoke   string   // instead of tests, in CI's smoke set; "-" for none
	brief   []string // environment of the smoke set
	ofGo    bool     // depends on the release of Go, and on no server
}

func columns() []column {
	const system = "cmd/calbridge/systemtest"
	return []column{
		{name: "texts", folders: []string{"rest/wptext/content", "rest/phpjson", "rest/wptext/kses", "rest/wptext/sanitize", "wpstore/php"}, tests: "^Test", smoke: "-", ofGo: true},
		{name: "reads", folders: []string{system}, tests: "^TestReplay$"},
		{name: "writes", folders: []string{system}, tests: "^(TestReplayWrites|TestConcurrentWrites)$", smoke: "^TestReplayWrites$", brief: []string{"CALBRIDGE_SITE=wpml"}},
		{name: "own writes", folders: []string{system}, tests: "^TestWritesInvalidateEnough$", brief: []string{"CALBRIDGE_SITE=poly"}},
		{name: "feed", folders: []string{"wpstore/changefeed", "wpstore/binlog", "wpstore/check"}, tests: "^Test",
			smoke: "^(TestFeed|TestLogBeginsAnew|TestNothingStaleIsFresh|TestRowsOfAServer|TestTransactionsOfAServer|TestCheckFeed)"},
		{name: "facts", folders: []string{"wpstore/options"}, tests: "^Test"},
		{name: "coherence", folders: []string{system}, tests: "^(TestCoherence|TestStrictWritesAndUsers)$"},
		{name: "faults", folders: []string{system}, tests: "^(TestDatabaseFaults|TestStaleConnections)$", smoke: "-"},
		{name: "kills", folders: []string{system}, tests: "^(TestDatabaseKills|TestKills)$", smoke: "-"},
	}
}
