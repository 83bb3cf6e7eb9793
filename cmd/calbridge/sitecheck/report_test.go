package sitecheck

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"calbridge/wpstore/check"
)

// TestAdviceInLog checks that an advice is one line of the log, without long lists of statements.
func TestAdviceInLog(t *testing.T) {
	grants := strings.Repeat("GRANT SELECT, INSERT, UPDATE, DELETE ON `site`.`wp_posts` TO calbridge;\n", 17)
	for name, c := range map[string]struct{ advice, want string }{
		"one line":   {"Omit it.", `advice="Omit it."`},
		"two lines":  {"Set it to ROW.\nOr start with --read-only.", `advice="Set it to ROW. Or start with --read-only."`},
		"statements": {"To read only, start with --read-only. To write, run:\n" + grants, "advice=\"To read only, start with --read-only. To write, run what `calbridge check` prints.\""},
		"long":       {"Caches are off without it.\n" + grants, "advice=\"Caches are off without it. `calbridge check` prints the rest.\""},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := Require(slog.New(slog.NewTextHandler(&out, nil)), check.Report{Warning("database.writes", "found", c.advice)}); err != nil {
				t.Fatal(err)
			}
			if line := out.String(); !strings.HasSuffix(line, c.want+"\n") || strings.Contains(line, "GRANT") {
				t.Errorf("%s, want %s", line, c.want)
			}
		})
	}
}
