package settings

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/companion"
	"calbridge/rest"
	"calbridge/wpstore"
)

var update = flag.Bool("update", false, "write the generated parts of the READMEs")

// TestREADME checks that the tables of settings, exit codes, known differences and metadata match the code. With
// -update it writes them.
func TestREADME(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	for _, part := range []struct {
		name, file string
		write      func(io.Writer)
	}{
		{"settings", filepath.Join(root, "cmd", "calbridge", "README.md"), writeReference},
		{"differences", filepath.Join(root, "compat", "README.md"), writeDifferences},
		{"exit-codes", filepath.Join(root, "docker", "operate.md"), writeExitCodes},
		{"metadata", filepath.Join(root, "compat", "README.md"), writeMetadata},
	} {
		data, err := os.ReadFile(part.file)
		if err != nil {
			t.Fatal(err)
		}
		begin, end := "<!-- "+part.name+":begin -->", "<!-- "+part.name+":end -->"
		before, rest, found := bytes.Cut(data, []byte(begin))
		_, after, ended := bytes.Cut(rest, []byte(end))
		if !found || !ended {
			t.Fatalf("%s lacks the marks %s and %s", part.file, begin, end)
		}
		var want bytes.Buffer
		want.Write(before)
		want.WriteString(begin + "\n")
		part.write(&want)
		want.WriteString(end)
		want.Write(after)
		if bytes.Equal(want.Bytes(), data) {
			continue
		}
		if !*update {
			t.Errorf("a table in %s is out of date; run `go test ./cmd/calbridge/settings -run TestREADME -update`", part.file)
		} else if err := os.WriteFile(part.file, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSettingTable(t *testing.T) {
	seen, groups := map[string]bool{}, map[Group]bool{}
	var group Group
	for _, s := range new(Settings).table() {
		if s.group != group && groups[s.group] {
			t.Errorf("setting %s: its group %s is interrupted", s.name, s.group)
		}
		group, groups[s.group] = s.group, true
		if seen[s.name] || s.name != strings.ToLower(s.name) || strings.ContainsAny(s.name, "_ ") {
			t.Errorf("setting %q: repeated or badly named", s.name)
		}
		seen[s.name] = true
		if s.help == "" || s.set.apply == nil || s.group == "" {
			t.Errorf("setting %s lacks help, group or a way to set it", s.name)
		}
		if s.def != "" {
			if err := s.set.apply(s.def); err != nil {
				t.Errorf("default of %s: %v", s.name, err)
			}
		}
		if s.secret && s.def != "" {
			t.Errorf("%s is a secret with a default", s.name)
		}
	}
}

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		name, value string
		ok          bool
	}{
		{"max-body", "8M", true}, {"max-body", "65536", true}, {"max-body", "1 GiB", true}, {"max-body", "0", false}, {"max-body", "-1", false}, {"max-body", "9999999T", false}, {"max-body", "99999999999G", false},
		{"listen", ":8080", true}, {"listen", "[::1]:80", true}, {"listen", "localhost:http", true}, {"listen", "localhost", false}, {"listen", "x:99999", false}, {"listen", "off", false}, {"ops-listen", "off", true},
		{"ops-hosts", "calbridge, metrics.example", true}, {"ops-hosts", "*", true}, {"ops-hosts", "calbridge:9464", false}, {"ops-hosts", "a,,b", false}, {"ops-hosts", "*.example", false},
		{"trusted-proxies", "10.0.0.1, fd00::/8", true}, {"trusted-proxies", "none", true}, {"trusted-proxies", "proxy.local", false},
		{"namespace", "/tribe/events/v1/", true}, {"namespace", "a b", false}, {"namespace", "/", false},
		{"home", "https://example.org/blog", true}, {"home", "example.org", false}, {"home", "ftp://example.org", false},
		{"wordpress-version", "6.9.4", true}, {"wordpress-version", "6", false}, {"wordpress-version", "6.x", false},
		{"blog-id", "3", true}, {"blog-id", "0", false}, {"blog-id", "x", false},
		{"request-timeout", "1m30s", true}, {"request-timeout", "10", false}, {"request-timeout", "-1s", false},
		{"disallow-unfiltered-html", "Yes", true}, {"disallow-unfiltered-html", "no", true}, {"disallow-unfiltered-html", "2", false},
		{"render-cache", "0", true}, {"render-cache", "1KiB", true}, {"render-cache", "x", false},
		{"clock", "2026-11-21T12:00:00Z", true}, {"clock", "noon", false}, {"rate-limit", "0.5", true}, {"rate-limit", "-1", false}, {"rate-limit", "NaN", false},
		{"mode-share", "12.5%", true}, {"mode-share", "101", false}, {"mode", "native", true}, {"mode", "both", false},
		{"cache-tags", "xkey, cache-groups", true}, {"cache-tags", "x-key", false}, {"cache-tag-prefix", "cal-1_", true}, {"cache-tag-prefix", "Cal", false}, {"cache-tag-prefix", "more-than-twelve", false},
		{"languages", "cs, en", true}, {"languages", "cs,cs", false}, {"languages", "Čeština", false}, {"replica-dsn", "u:p@tcp(a)/x u@tcp(b)/x", true}, {"replica-dsn", "u:p@tcp(a)/x b", false}, {"feed-dsn", "", true}, {"feed-dsn", "sqlite:x", false}, {"dsn", "sqlite:x", true}, {"dsn", "x", false},
		{"static-blocks", "kadence/*,stackable/divider", true}, {"static-blocks", "a,,b", false}, {"plugin-shortcodes", "[map]", false},
		{"post-revisions", "all", true}, {"post-revisions", "none", true}, {"post-revisions", "5", true}, {"post-revisions", "few", false}, {"post-revisions", "-2", false},
	} {
		err := new(Settings).table().lookup(c.name).set.apply(c.value)
		if (err == nil) != c.ok {
			t.Errorf("%s = %q: %v", c.name, c.value, err)
		}
	}
}

// TestTakesNotices checks that notices need a secret and a listener that receives them.
func TestTakesNotices(t *testing.T) {
	for _, c := range []struct {
		secret, ops string
		want        bool
	}{{"", "", false}, {"x", "", false}, {"", "127.0.0.1:9464", false}, {"x", "127.0.0.1:9464", true}} {
		s := &Settings{Companion: companion.Config{Secret: c.secret}, Listen: Listen{Ops: c.ops}}
		if got := s.TakesNotices(); got != c.want {
			t.Errorf("secret %q, ops listener %q: %v", c.secret, c.ops, got)
		}
	}
}

// writeReference prints the table of all settings for the README.
func writeReference(w io.Writer) {
	var group Group
	all := new(Settings).table()
	for _, s := range all.current() {
		if s.group != group {
			group = s.group
			fmt.Fprintf(w, "\n**%s**\n\n| Flag and key | Environment | Default | `wp-config.php` | Meaning |\n|---|---|---|---|---|\n", group)
		}
		name := "`--" + s.name + "`"
		if s.arg != "" {
			name = "`--" + s.name + " " + s.arg + "`"
		}
		env := "`" + s.envName() + "`"
		if s.secret {
			env += " (secret: also `…_FILE`)"
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", name, env, code(s.def), code(s.constant), strings.ReplaceAll(s.help, "|", `\|`))
	}
	fmt.Fprintf(w, "\n**Constants**, for `--define NAME=VALUE`, a line `define = NAME=VALUE` and `CALBRIDGE_DEFINE`\n\n| Constant | Environment | Default | Meaning |\n|---|---|---|---|\n")
	for _, s := range all.only(func(s *setting) bool { return s.defined }) {
		env := ""
		if s.secret {
			env = "`" + s.envName() + "`, `" + s.envName() + "_FILE` (not `--define`)"
		}
		fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", s.constant, env, code(s.def), strings.ReplaceAll(s.help, "|", `\|`))
	}
	fmt.Fprintln(w)
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// writeExitCodes prints the exit codes as a table.
func writeExitCodes(w io.Writer) {
	fmt.Fprintln(w, "| code | name | meaning |\n|---|---|---|")
	for _, c := range cmdline.ExitCodes() {
		fmt.Fprintf(w, "| %d | %s | %s |\n", c.Code, c.Name, c.Meaning)
	}
}

// writeDifferences prints the known differences as a table.
func writeDifferences(w io.Writer) {
	fmt.Fprintln(w, "| number | difference | under | reason |\n|---|---|---|---|")
	for _, d := range rest.Differences {
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", d.Number, d.What, d.Under, d.Reason)
	}
}

// writeMetadata prints how each key of metadata is read as a table.
func writeMetadata(w io.Writer) {
	fmt.Fprintln(w, "| key | in fields | in `json_ld`, iCalendar exports and feeds |\n|---|---|---|")
	reading := func(as wpstore.MetaReading, shown wpstore.MetaEvidence) string {
		if as == 0 {
			return as.String()
		}
		return fmt.Sprintf("%s (%s)", as, shown)
	}
	for _, r := range wpstore.MetaRules() {
		fmt.Fprintf(w, "| `%s` | %s | %s |\n", r.Key, reading(r.Field, r.FieldShown), reading(r.Single, r.SingleShown))
	}
}
