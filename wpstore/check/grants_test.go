package check

import (
	"strings"
	"testing"

	"calbridge/wpstore/table"
)

// TestReadGrantsOfNetwork checks which sites need the tables of a network, the main site among them.
func TestReadGrantsOfNetwork(t *testing.T) {
	for _, c := range []struct {
		name    string
		of      table.Config
		network bool
	}{
		{"a single site", table.Config{Prefix: "wp_"}, false},
		{"the main site of a network", table.Config{Prefix: "wp_", BlogID: 1, Network: true}, true},
		{"another site", table.Config{Prefix: "wp_", BlogID: 3}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			tables, err := table.New(c.of)
			if err != nil {
				t.Fatal(err)
			}
			statements := strings.Join(ReadGrants(tables, "site", "'reader'@'%'"), "\n")
			for _, name := range []string{"wp_sitemeta", "wp_site", "wp_blogs"} {
				want := "GRANT SELECT ON `site`.`" + name + "` TO 'reader'@'%';"
				if strings.Contains(statements, want) != c.network {
					t.Errorf("%s: %t in\n%s", want, !c.network, statements)
				}
			}
		})
	}
}
