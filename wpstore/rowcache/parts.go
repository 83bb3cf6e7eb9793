package rowcache

import (
	"reflect"
	"slices"
	"strings"
	intern "unique" // unique is a function in this package

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
)

func postTag(id int64) []invalidation.Tag {
	return []invalidation.Tag{{Kind: invalidation.Post, ID: id}}
}

// Posts describes posts with their languages, which depend on the site's languages too.
func Posts(languages *i18n.Languages) Part[*wpstore.Post] {
	return Part[*wpstore.Post]{
		name: "post " + string(languages.Plugin),
		own:  clonePost,
		tags: func(id int64, _ *wpstore.Post) []invalidation.Tag {
			if languages.Plugin == i18n.NoPlugin {
				return postTag(id)
			}
			return append(postTag(id), invalidation.Tag{Kind: invalidation.Site})
		},
	}
}

func clonePost(p *wpstore.Post) (*wpstore.Post, int) {
	own := *p
	bytes := ownTexts(&own.Date, &own.DateGMT, &own.Modified, &own.ModifiedGMT, &own.Content, &own.Title, &own.Excerpt,
		&own.Status, &own.Name, &own.Password, &own.Type, &own.MimeType, &own.GUID, &own.CommentStatus, &own.PingStatus, &own.Language)
	return &own, bytes + int(reflect.TypeFor[wpstore.Post]().Size())
}

// ownTexts makes the texts slices of a single copy, and returns its size.
func ownTexts(texts ...*string) (bytes int) {
	length := 0
	for _, text := range texts {
		length += len(*text)
	}
	var all strings.Builder
	all.Grow(length)
	for _, text := range texts {
		all.WriteString(*text)
	}
	rest := all.String()
	for _, text := range texts {
		*text, rest = rest[:len(*text)], rest[len(*text):]
	}
	return all.Cap()
}

// Meta describes the metadata of posts with some keys, "" for all.
func Meta(keys string) Part[wpstore.Meta] {
	return Part[wpstore.Meta]{
		name: "meta " + keys,
		own: func(m wpstore.Meta) (wpstore.Meta, int) {
			rows := slices.Clone(m.Rows())
			texts := make([]*string, 0, 2*len(rows))
			for i := range rows {
				texts = append(texts, &rows[i].Key, &rows[i].Value)
			}
			return wpstore.NewMeta(rows, m.Digest()), ownTexts(texts...) + cap(rows)*int(reflect.TypeFor[wpstore.MetaRow]().Size())
		},
		tags: func(id int64, _ wpstore.Meta) []invalidation.Tag { return postTag(id) },
	}
}

// Terms describes the terms of posts in some taxonomies.
func Terms(taxonomies string) Part[[]wpstore.Term] {
	return Part[[]wpstore.Term]{
		name: "terms " + taxonomies,
		own: func(terms []wpstore.Term) ([]wpstore.Term, int) {
			terms = slices.Clone(terms)
			texts := make([]*string, 0, 5*len(terms))
			for i := range terms {
				t := &terms[i]
				texts = append(texts, &t.Taxonomy, &t.Name, &t.Slug, &t.Description, &t.Language)
			}
			return terms, ownTexts(texts...) + cap(terms)*int(reflect.TypeFor[wpstore.Term]().Size())
		},
		tags: func(id int64, terms []wpstore.Term) []invalidation.Tag {
			tags := postTag(id)
			for i := range terms {
				tags = append(tags, invalidation.Tag{Kind: invalidation.Term, ID: terms[i].ID})
			}
			return tags
		},
	}
}

// Groups describes the translations of posts, including the post itself.
func Groups() Part[i18n.Group] {
	return Part[i18n.Group]{
		name: "group",
		own: func(g i18n.Group) (i18n.Group, int) {
			own := make(i18n.Group, len(g))
			for language, id := range g {
				own[intern.Make(language).Value()] = id
			}
			const perEight = 272 // bytes by which a map grows for eight elements
			return own, perEight * (1 + len(g)/8)
		},
		tags: func(id int64, _ i18n.Group) []invalidation.Tag {
			return append(postTag(id), invalidation.Tag{Kind: invalidation.Translations})
		},
	}
}
