package rowedit

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

// Storable says whether a column of a WordPress table can hold a text: those of old tables
// (utf8mb3) hold no characters of four bytes. Only a text with such characters takes a
// query, one for each table.
func (r *Rows) Storable(ctx context.Context, table, column, text string) (bool, error) {
	if !sqlconn.FourBytes(text) {
		return true, nil
	}
	narrow, known := r.narrow[table]
	if !known {
		var err error
		if narrow, err = sqlconn.NarrowColumns(ctx, r.Runner, r.Tables.Plain(table)); err != nil {
			return false, err
		}
		if r.narrow == nil {
			r.narrow = map[string]map[string]bool{}
		}
		r.narrow[table] = narrow
	}
	return !narrow[column], nil
}

// Encode writes the characters of a post that its columns can't hold as references of HTML,
// like WordPress.
func (p Posts) Encode(ctx context.Context, post *wpstore.Post) error {
	for column, text := range map[string]*string{"post_title": &post.Title, "post_content": &post.Content, "post_excerpt": &post.Excerpt} {
		storable, err := p.Rows.Storable(ctx, "posts", column, *text)
		if err != nil {
			return err
		}
		if !storable {
			*text = references(*text)
		}
	}
	return nil
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
