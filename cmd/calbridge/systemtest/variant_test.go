package systemtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/compat/profile"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// TestReplayNarrowTables replays the recordings of a site whose tables have the character
// set utf8mb3: reads, and writes with every row that they change.
func TestReplayNarrowTables(t *testing.T) {
	shared := testdata.Shared(t)
	v := variantOf(t, "utf8mb3-tables")
	db := wptest.VariantCopy(t, v)
	url := serveVariant(t, v, db)
	recorded := filepath.Join(shared, "recordings", "variants", v.Label)
	t.Run("reads", func(t *testing.T) {
		replayFiles(t, shared, "mono", db.Engine, url, recorded+".jsonl.gz")
	})
	t.Run("writes", func(t *testing.T) {
		client := newWriteClient(t, shared, "mono", url)
		client.file = recorded + ".writes.jsonl.gz"
		replayWrites(t, client, db)
	})
}

// variantOf returns the variant of a label.
func variantOf(t *testing.T, label string) *wptest.Variant {
	t.Helper()
	for _, v := range wptest.Variants(t) {
		if v.Label == label {
			return &v
		}
	}
	t.Fatalf("there is no variant %s", label)
	return nil
}

// serveVariant runs the program over a variant's database and folder, with the flags that
// the variant needs and more, and returns its URL. It answers as the reference, exactly.
func serveVariant(t *testing.T, v *wptest.Variant, db wptest.Database, flags ...string) string {
	t.Helper()
	shared := testdata.Shared(t)
	words, err := profile.Build(profile.Options{
		Recordings: []string{filepath.Join(shared, "recordings", "mono", "*.jsonl.gz")},
		Site:       filepath.Join(shared, "sites", "mono.json"),
	})
	if err != nil {
		t.Fatal(err)
	}
	profile := filepath.Join(t.TempDir(), "profile.json")
	if err := words.WriteFile(profile); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"serve", "--wp-config", filepath.Join(variantFolder(t, v), "wp-config.php"), "--dsn", db.DSN, "--namespace", "tribe/events/v1",
		"--compat", "exact", "--profile", profile, "--clock", db.Now().Format("2006-01-02T15:04:05Z07:00"), "--request-timeout", "1m", "--pool-wait", "1m",
	}
	return start(t, nil, append(append(args, v.Flags...), flags...)...).api
}

// variantFolder returns the WordPress folder of a variant, with its wp-config.php.
func variantFolder(t *testing.T, v *wptest.Variant) string {
	t.Helper()
	var config strings.Builder
	config.WriteString("<?php\n$table_prefix = 'wp_';\n")
	constant := func(name, value string) {
		fmt.Fprintf(&config, "define( '%s', '%s' );\n", name, strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value))
	}
	for name, value := range siteKeys(t, "mono") {
		constant(name, value)
	}
	if v.DBCharset != "" {
		constant("DB_CHARSET", v.DBCharset)
	}
	for _, line := range v.WPConfig {
		fmt.Fprintln(&config, line)
	}
	dir := t.TempDir()
	write := func(name string, data []byte) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("wp-config.php", []byte(config.String()))
	for name, text := range v.Files {
		write(name, []byte(text))
	}
	for name, data := range v.Binary {
		write(name, data)
	}
	return dir
}
