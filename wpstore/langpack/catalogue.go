package langpack

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// MaxFile is the size in bytes of the largest file that is parsed.
	MaxFile = 16 << 20
	// maxEntries limits the entries of a file. The largest packs have some 20,000.
	maxEntries = 200_000
)

// Catalogue holds the translations of one file. A nil Catalogue has none.
type Catalogue struct {
	messages map[string]string // by context, \x04 and text; by text alone without a context
	shapes   map[string]string // originals with placeholders, by their shape
	sum      uint32            // of the file
}

// Sum returns a checksum of the file.
func (c *Catalogue) Sum() uint32 {
	if c == nil {
		return 0
	}
	return c.sum
}

// Lookup returns the translation of a text, or the first of its plural forms. ok is false
// for texts that the file leaves untranslated. An empty context stands for none.
func (c *Catalogue) Lookup(context, text string) (translation string, ok bool) {
	if c == nil {
		return "", false
	}
	if context != "" {
		text = context + "\x04" + text
	}
	translation, ok = c.messages[text]
	return translation, ok
}

// LookupAnywhere looks a text up in all contexts. ok is false if several contexts have a
// translation.
func (c *Catalogue) LookupAnywhere(text string) (translation string, ok bool) {
	if c == nil {
		return "", false
	}
	for original, translated := range c.messages {
		if _, there, found := strings.Cut(original, "\x04"); found && there == text {
			if ok {
				return "", false
			}
			translation, ok = translated, true
		}
	}
	return translation, ok
}

// Len returns the number of translated texts.
func (c *Catalogue) Len() int {
	if c == nil {
		return 0
	}
	return len(c.messages)
}

// add stores an entry. NUL separates the plural forms of original and translation. A
// translation that is not UTF-8 counts as missing, since no response can contain it.
func (c *Catalogue) add(original, translation string) {
	original, _, _ = strings.Cut(original, "\x00")
	translation, _, _ = strings.Cut(translation, "\x00")
	if original != "" && translation != "" && utf8.ValidString(translation) {
		c.messages[original] = translation
		c.noteShape(original)
	}
}

func checkSize(data []byte) error {
	if len(data) > MaxFile {
		return fmt.Errorf("the file has more than %d MiB", MaxFile>>20)
	}
	return nil
}
