package rowedit

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	sq "github.com/Masterminds/squirrel"
)

// SlugSize is the size of the columns of slugs, in bytes.
const SlugSize = 200

// NumberedSlug appends -2, -3 and so on to a slug until it is not taken.
func NumberedSlug(ctx context.Context, slug string, taken func(ctx context.Context, candidate string) (bool, error)) (string, error) {
	for n := int64(2); ; n++ {
		suffix := "-" + strconv.FormatInt(n, 10)
		candidate := CutSlug(slug, SlugSize-len(suffix)) + suffix
		isTaken, err := taken(ctx, candidate)
		if err != nil || !isTaken {
			return candidate, err
		}
	}
}

// SlugTaken reports whether a term other than id has a slug. others is a COUNT over the
// terms t to compare with.
func (t Terms) SlugTaken(ctx context.Context, others sq.SelectBuilder, slug string, id int64) (bool, error) {
	n, err := t.Rows.Number(ctx, "terms.slug_taken", others.Where(sq.Eq{"t.slug": slug}).Where(sq.NotEq{"t.term_id": id}))
	return n > 0, err
}

// CutSlug shortens a slug to most bytes, without splitting a percent-encoded character
// and without a hyphen at the end.
func CutSlug(slug string, most int) string {
	if len(slug) <= most {
		return slug
	}
	decoded, err := url.PathUnescape(slug)
	if err != nil || decoded == slug || !utf8.ValidString(decoded) {
		return strings.TrimRight(slug[:most], "-")
	}
	out := make([]byte, 0, most)
	for _, r := range decoded {
		piece := string(r)
		if r >= utf8.RuneSelf {
			piece = strings.ToLower(url.QueryEscape(piece))
		}
		if len(out)+len(piece) > most {
			break
		}
		out = append(out, piece...)
	}
	return strings.TrimRight(string(out), "-")
}

// CutText shortens a text to most characters, like a server outside of strict mode.
func CutText(s string, most int) string {
	for i := range s {
		if most == 0 {
			return s[:i]
		}
		most--
	}
	return s
}

// SameName reports whether two names are the same for WordPress, which ignores the case of
// ASCII letters only. The collation ignores accents too.
func SameName(a, b string) bool { return asciiLower(a) == asciiLower(b) }

func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
