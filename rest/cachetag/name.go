package cachetag

import (
	"slices"
	"strconv"

	"calbridge/wpstore/invalidation"
)

// all is the name that every response has.
const all = "site"

// nameOf returns the name of a set of rows, or the beginning of the names of rows.
func nameOf(kind invalidation.Kind) string {
	switch kind {
	case invalidation.Post:
		return "p"
	case invalidation.Term:
		return "t"
	case invalidation.User:
		return "u"
	case invalidation.Users:
		return "users"
	case invalidation.Posts:
		return "posts"
	case invalidation.Events:
		return "events"
	case invalidation.Tickets:
		return "tickets"
	case invalidation.Terms:
		return "terms"
	case invalidation.Translations:
		return "translations"
	case invalidation.Site:
		return all
	case invalidation.Parity:
		return "parity"
	}
	return "any"
}

// rowKinds returns the kinds that name single rows, in the order in which they are collapsed.
func rowKinds() []invalidation.Kind {
	return []invalidation.Kind{invalidation.Post, invalidation.Term, invalidation.User}
}

// collapsed is the number of levels of detail: everything, without posts, terms, and users.
const collapsed = 4

// names are the tags of one response.
type names struct {
	sets []string
	rows [3][]int64 // in the order of rowKinds
}

// namesOf sorts tags, so that equal responses have equal headers.
func namesOf(tags []invalidation.Tag) *names {
	n := &names{sets: []string{all}}
	for _, tag := range tags {
		if i := slices.Index(rowKinds(), tag.Kind); i >= 0 {
			n.rows[i] = append(n.rows[i], tag.ID)
		} else if tag.Kind != invalidation.Site {
			n.sets = append(n.sets, nameOf(tag.Kind))
		}
	}
	slices.Sort(n.sets[1:])
	for i := range n.rows {
		slices.Sort(n.rows[i])
	}
	return n
}

// list returns the names with a prefix. The rows of the first kinds, as many as level, are collapsed.
func (n *names) list(prefix string, level int) []string {
	list := make([]string, 0, len(n.sets)+len(n.rows[0])+len(n.rows[1])+len(n.rows[2]))
	for _, set := range n.sets {
		list = append(list, prefix+set)
	}
	for i, kind := range rowKinds() {
		letter := prefix + nameOf(kind)
		if i < level {
			if len(n.rows[i]) > 0 {
				list = append(list, letter)
			}
			continue
		}
		for _, id := range n.rows[i] {
			list = append(list, letter+strconv.FormatInt(id, 10))
		}
	}
	return list
}

// Purged returns the names by which to purge what depends on changed tags.
func (p *Policy) Purged(tags []invalidation.Tag) []string {
	if len(tags) == 0 {
		return nil
	}
	list := []string{p.Prefix + nameOf(invalidation.Anything)}
	for _, tag := range tags {
		if tag.Kind == invalidation.Site {
			return []string{p.All()}
		}
		name := p.Prefix + nameOf(tag.Kind)
		list = append(list, name)
		if slices.Contains(rowKinds(), tag.Kind) {
			list = append(list, name+strconv.FormatInt(tag.ID, 10))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// All returns the name by which to purge everything.
func (p *Policy) All() string { return p.Prefix + all }
