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

// maxReadme, in lines, keeps the README one read.
const maxReadme = 200

var (
	markdownLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	markdownHeading = regexp.MustCompile(`(?m)^#{1,6} +(.+)$`)
	codeBlock       = regexp.MustCompile("(?ms)^ *```.*?^ *```")
)

// TestDocumentLinks follows each link of each document to a file, and to a heading of
// it where the link has a fragment.
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

// hasAnchor says whether a document has a heading whose anchor, as GitHub makes them,
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
