package main

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// maxReadme is the maximum number of lines, so that the README can be read in one go.
const maxReadme = 200

var (
	markdownLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	markdownHeading = regexp.MustCompile(`(?m)^#{1,6} +(.+)$`)
	codeBlock       = regexp.MustCompile("(?ms)^ *```.*?^ *```")
)

// TestDocumentLinks checks that each link of each document leads to a file, and to a heading
// of it if the link has a fragment.
func TestDocumentLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	checked := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, link := range markdownLink.FindAllStringSubmatch(codeBlock.ReplaceAllString(string(text), ""), -1) {
			target, err := url.Parse(link[1])
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			if target.Scheme != "" {
				continue
			}
			checked++
			file := path
			if target.Path != "" {
				file = filepath.Join(filepath.Dir(path), filepath.FromSlash(target.Path))
			}
			content, err := os.ReadFile(file)
			if info, statErr := os.Stat(file); statErr == nil && info.IsDir() {
				err = nil
			}
			if err != nil {
				t.Errorf("%s links to %s: %v", path, link[1], err)
			} else if target.Fragment != "" && !hasAnchor(string(content), target.Fragment) {
				t.Errorf("%s links to %s, which has no such heading", path, link[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 15 {
		t.Errorf("only %d links found", checked)
	}
}

// hasAnchor reports whether a document has a heading whose anchor, as GitHub makes them,
// is the given one.
func hasAnchor(document, anchor string) bool {
	for _, heading := range markdownHeading.FindAllStringSubmatch(codeBlock.ReplaceAllString(document, ""), -1) {
		made := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(heading[1]))
		if made == anchor {
			return true
		}
	}
	return false
}

func TestReadmeLength(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines > maxReadme {
		t.Errorf("README.md has %d lines, at most %d are allowed: move details into the documents that it links to", lines, maxReadme)
	}
}

// secretSetting matches the row of a secret in the table of settings.
var secretSetting = regexp.MustCompile("(?m)^\\| `--([a-z-]+) [A-Z]+` \\| `([A-Z_]+)` \\(secret")

// secretConstant matches the row of a key or salt in the table of constants.
var secretConstant = regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| `(CALBRIDGE_[A-Z_]+)`, ")

// secretsOnCommandLines returns an expression that matches examples that put a secret where
// other users of the machine and the history of the shell see it. settings is the table of
// settings.
func secretsOnCommandLines(t *testing.T, settings string) *regexp.Regexp {
	var flags, variables []string
	for _, row := range secretSetting.FindAllStringSubmatch(settings, -1) {
		flags, variables = append(flags, row[1]), append(variables, row[2])
	}
	for _, row := range secretConstant.FindAllStringSubmatch(settings, -1) {
		former := strings.ToLower(strings.ReplaceAll(row[1], "_", "-")) // the flag of earlier releases
		flags, variables = append(flags, former, "define "+row[1]), append(variables, row[2])
	}
	if len(flags) < 25 {
		t.Fatalf("only %d secrets among the settings: %q", len(flags), flags)
	}
	return regexp.MustCompile(strings.Join([]string{
		// The DSN of a file is not a secret, and a word in capitals stands for a value.
		`--(?:` + strings.Join(flags, "|") + `)(?:=| +)['"]?(?:[^-sA-Z\s'"]|s[^q]|[A-Z]+[^A-Z\s'")\x60])`,
		`\b(?:` + strings.Join(variables, "|") + `)=['"]?[^\s'"]`,
		`--[a-z-]*(?:password|passwd|secret|token)(?:=| +)['"]?[^\s'"A-Z]`,
		`\b(?:MYSQL_PWD|PGPASSWORD|REDISCLI_AUTH)=['"]?[^\s'"]`,
		`\b(?:mysql|mariadb|mysqldump|mariadb-dump|mysqladmin|mariadb-admin)\b[^|;]* -p['"]?[^\s'"]`,
		`\b(?:curl|wget)\b[^|;]* (?:-u|--user)[= ]?['"]?[^\s:'"]+:[^\s]`,
		`\b(?:curl|wget)\b[^|;]* (?:-H|--header)[= ]?['"]?(?i:authorization|cookie|x-wp-nonce) *:`,
		`\b(?:curl|wget|calbridge|docker)\b.*https?://[^\s/'"@]+:[^\s/'"@]+@`,
	}, "|"))
}

// TestNoSecretsOnCommandLines checks all documents, configurations, scripts and help texts.
func TestNoSecretsOnCommandLines(t *testing.T) {
	if testing.Short() {
		t.Skip("reads files, in one goroutine")
	}
	settings, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	secret := secretsOnCommandLines(t, string(settings))
	for _, line := range []string{
		"calbridge serve --dsn 'calbridge:pw@tcp(db:3306)/wordpress'", "calbridge serve --dsn=$DSN", "calbridge serve --dsn …", "--companion-secret 0123", "--nonce-salt=x", "--define NONCE_SALT=x",
		"docker run -e CALBRIDGE_DSN=calbridge:pw@tcp(db)/x calbridge", "CALBRIDGE_SECRET_KEY=x calbridge serve", "tool --password hunter2", "tool --auth-token=abc",
		"mysql -u root -phunter2 wordpress", "MYSQL_PWD=x mysql", "curl -s -u 'jana:abcd efgh' http://x", "curl --user jana:$PASSWORD http://x",
		"curl -H 'Authorization: Basic x' http://x", "calbridge record --url https://jana:pw@example.org", "replica: --replica-dsn 'calbridge:pw@tcp(db)/x'",
	} {
		if !secret.MatchString(line) {
			t.Errorf("not found: %s", line)
		}
	}
	for _, line := range []string{
		"calbridge serve --dsn sqlite:demo.db", "| `--dsn DSN` | the database |", "`--replica-dsn 'DSN DSN'` names servers", "as `--dsn` alone", "CALBRIDGE_DSN_FILE=/run/secrets/dsn calbridge serve",
		"calbridge record --passwords FILE", "mysql -u root -p wordpress", "curl -s -u demo 'http://127.0.0.1:8080/x'", "--tls-key FILE", "--record-password-use=false",
	} {
		if found := secret.FindString(line); found != "" {
			t.Errorf("found in %s: %s", line, found)
		}
	}
	root, files := filepath.Join("..", ".."), 0
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (name == ".git" || name == "testdata"):
			return filepath.SkipDir
		case entry.IsDir() || strings.HasSuffix(name, "_test.go") || name == "go.sum":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		number := 0
		for line := range strings.Lines(string(text)) {
			if number++; secret.MatchString(line) {
				t.Errorf("%s:%d has a secret on a command line; name a file, or let the program prompt: %s", path, number, strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 100 {
		t.Errorf("only %d files read", files)
	}
}
