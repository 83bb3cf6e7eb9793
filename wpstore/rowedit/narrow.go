package rowedit

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn/charset"
)

// Encode writes the characters of a post that its columns can't hold as references of HTML,
// like WordPress.
func (p Posts) Encode(post *wpstore.Post) {
	for column, text := range map[string]*string{"post_title": &post.Title, "post_content": &post.Content, "post_excerpt": &post.Excerpt} {
		if p.Rows.Fit("posts", column, *text) == charset.Narrow {
			*text = references(*text)
		}
	}
}

const (
	joiner   = '\u200d' // makes one emoji of several
	selector = '\ufe0f' // asks for the coloured form
	// firstSymbol is where the symbols begin that joiners may add.
	firstSymbol = '\u2000'
)

// references writes characters of four bytes as hexadecimal references, and with them the
// joiners, selectors and symbols that make one emoji with them.
func references(text string) string {
	var b strings.Builder
	within, joined := false, false // an emoji; behind its joiner
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		within = r > 0xffff || within && (r == joiner || r == selector || joined && r >= firstSymbol && r != utf8.RuneError)
		joined = within && r == joiner
		if within {
			fmt.Fprintf(&b, "&#x%x;", r)
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}
