package sitedb

import (
	"context"
	"reflect"
	"slices"
	"strings"
	intern "unique" // which is a function here

	"github.com/maypok86/otter/v2"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/coherence"
)

// memory keeps rows that were loaded by id for as long as they stay as they are.
type memory struct {
	ledger *coherence.Ledger
	kept   *otter.Cache[memoryKey, *remembered]
}

// memoryKey names what was loaded of an id.
type memoryKey struct {
	part intern.Handle[string]
	id   int64
}

// remembered is what was loaded, nil where there was nothing.
type remembered struct {
	value any
	made  uint64
	tags  []coherence.Tag
	one   [1]coherence.Tag // where there is one tag
	bytes uint32
}

// Remember keeps rows that requests load by id, in at most that many bytes, until
// the ledger hears that they changed. Only requests whose context comes from
// [FromMemory] get them. It must be called before the first request.
func (db *DB) Remember(ledger *coherence.Ledger, bytes uint64) {
	db.memory = &memory{ledger: ledger, kept: otter.Must(&otter.Options[memoryKey, *remembered]{
		MaximumWeight: bytes,
		Weigher:       func(_ memoryKey, r *remembered) uint32 { return r.bytes },
	})}
}

// RememberedBytes is what Remember's rows take now.
func (db *DB) RememberedBytes() uint64 {
	if db.memory == nil {
		return 0
	}
	return db.memory.kept.WeightedSize()
}

type fromMemoryKey struct{}

// FromMemory returns a context in which rows may come from memory, as current as
// what the ledger has heard of. Without it every row comes from the database.
func FromMemory(ctx context.Context) context.Context {
	return context.WithValue(ctx, fromMemoryKey{}, true)
}

// mayRecall says whether this context's rows may come from memory: never within a
// transaction, which sees its own rows.
func (db *DB) mayRecall(ctx context.Context) bool {
	return db.inTx == nil && ctx.Value(fromMemoryKey{}) != nil
}

// part says how one kind of value is kept.
type part[V any] struct {
	name string
	// own returns a copy that shares nothing with the result that it was read from,
	// which would otherwise stay in memory as a whole, and what it takes besides
	// itself, in bytes.
	own func(V) (V, int)
	// tags are what the value of an id depends on; the zero value stands for none.
	tags func(id int64, v V) []coherence.Tag
}

// maxRecalled bounds the ids that are looked up one by one: longer lists are
// validators' and exports', which are not asked twice.
const maxRecalled = 500

// rememberedFixed is what a remembered value takes besides itself, its texts and its
// tags, in bytes: measured, as TestMemoryIsWhatItSays does.
const rememberedFixed = 176

// recall returns what is remembered of the ids and loads the rest.
func recall[V any](ctx context.Context, db *DB, p part[V], ids []int64, load func([]int64) (map[int64]V, error)) (map[int64]V, error) {
	m := db.memory
	if m == nil || len(ids) > maxRecalled || !db.mayRecall(ctx) || !m.ledger.Following() {
		return load(ids)
	}
	made := readAsOf(ctx, m.ledger)
	found := make(map[int64]V, len(ids))
	name := intern.Make(p.name) // which all keys share
	var missing []int64
	for _, id := range ids {
		r, ok := m.kept.GetIfPresent(memoryKey{name, id})
		if !ok || !m.ledger.Fresh(r.made, r.tags) {
			missing = append(missing, id)
			continue
		}
		coherence.DependTags(ctx, r.tags)
		if r.value != nil {
			found[id] = r.value.(V)
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	loaded, err := load(missing)
	if err != nil {
		return nil, err
	}
	for _, id := range missing {
		v, ok := loaded[id]
		r, bytes := &remembered{made: made}, 0
		if ok {
			v, bytes = p.own(v)
			r.value, found[id] = v, v
			bytes += int(reflect.TypeFor[V]().Size())
		}
		if r.tags = slices.Clip(p.tags(id, v)); len(r.tags) == 1 {
			r.one[0] = r.tags[0]
			r.tags = r.one[:]
		} else {
			bytes += len(r.tags) * tagSize
		}
		r.bytes = uint32(min(bytes+rememberedFixed, 1<<30))
		m.kept.Set(memoryKey{name, id}, r)
	}
	return found, nil
}

// tagSize is what a tag takes, in bytes.
const tagSize = 16

func postTag(id int64) []coherence.Tag { return []coherence.Tag{{Kind: coherence.Post, ID: id}} }

// postsPart keeps posts with their languages, which depend on the site's too.
func postsPart(languages *i18n.Languages) part[*wpstore.Post] {
	return part[*wpstore.Post]{
		name: "post " + string(languages.Plugin),
		own:  func(p *wpstore.Post) (*wpstore.Post, int) { return clonePost(p) },
		tags: func(id int64, _ *wpstore.Post) []coherence.Tag {
			if languages.Plugin == i18n.NoPlugin {
				return postTag(id)
			}
			return append(postTag(id), coherence.Tag{Kind: coherence.Site})
		},
	}
}

func clonePost(p *wpstore.Post) (*wpstore.Post, int) {
	own := *p
	bytes := ownTexts(&own.Date, &own.DateGMT, &own.Modified, &own.ModifiedGMT, &own.Content, &own.Title, &own.Excerpt,
		&own.Status, &own.Name, &own.Password, &own.Type, &own.MimeType, &own.GUID, &own.CommentStatus, &own.PingStatus, &own.Language)
	return &own, bytes + int(reflect.TypeFor[wpstore.Post]().Size())
}

// ownTexts makes texts parts of one copy, and returns what it takes.
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

// metaPart keeps metadata: of all keys, or of the named ones.
func metaPart(keys string) part[wpstore.Meta] {
	return part[wpstore.Meta]{
		name: "meta " + keys,
		own: func(m wpstore.Meta) (wpstore.Meta, int) {
			rows := slices.Clone(m.Rows())
			texts := make([]*string, 0, 2*len(rows))
			for i := range rows {
				texts = append(texts, &rows[i].Key, &rows[i].Value)
			}
			return wpstore.NewMeta(rows, m.Digest()), ownTexts(texts...) + cap(rows)*int(reflect.TypeFor[wpstore.MetaRow]().Size())
		},
		tags: func(id int64, _ wpstore.Meta) []coherence.Tag { return postTag(id) },
	}
}

// termsPart keeps the terms of posts in some taxonomies.
func termsPart(taxonomies string) part[[]wpstore.Term] {
	return part[[]wpstore.Term]{
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
		tags: func(id int64, terms []wpstore.Term) []coherence.Tag {
			tags := postTag(id)
			for i := range terms {
				tags = append(tags, coherence.Tag{Kind: coherence.Term, ID: terms[i].ID})
			}
			return tags
		},
	}
}

// groupsPart keeps translations of posts. A group holds the post's own language.
func groupsPart() part[i18n.Group] {
	return part[i18n.Group]{
		name: "group",
		own: func(g i18n.Group) (i18n.Group, int) {
			own := make(i18n.Group, len(g))
			for language, id := range g {
				own[intern.Make(language).Value()] = id
			}
			const perEight = 272 // maps grow by eight
			return own, perEight * (1 + len(g)/8)
		},
		tags: func(id int64, _ i18n.Group) []coherence.Tag {
			return append(postTag(id), coherence.Tag{Kind: coherence.Translations})
		},
	}
}
