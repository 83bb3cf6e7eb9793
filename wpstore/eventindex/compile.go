package eventindex

import (
	"slices"

	"calbridge/i18n"
	"calbridge/wpstore"
)

// compiled is a query in terms of attributes.
type compiled struct {
	impossible bool // no event matches
	bounds     []columnBound
	all        [][]attribute // of each, an event must have one
	none       []attribute   // an event must have none of them
	include    *idSet        // nil: any event
	status     statusRule
	// unlocked are rules for events with a password: each leaves out those without one of
	// its attributes.
	unlocked [][]attribute
	// refuse lists what the rows must not hold for the query to be answered.
	refuse []refusal
}

// columnBound says that a date must be from low to high.
type columnBound struct {
	column    int
	low, high date
}

// statusRule lists which statuses events may have: one of those named, or, with
// otherwise, any other. Those of the author have one of their own instead.
type statusRule struct {
	named       []attribute
	otherwise   bool
	author, own []attribute // author is nil where the rule is the same for all
}

// refusal is a flag that no row must have for the query to be answered.
type refusal struct {
	flag    int64
	outcome Outcome
}

// compiler translates one query.
type compiler struct {
	compiled
	texts *texts
	// outcome is the first reason why the query cannot be answered.
	outcome Outcome
}

// compile expresses a query by attributes, or returns why the index can't answer it. The
// texts are those of the index.
func compile(q *wpstore.EventQuery, texts *texts) (*compiled, Outcome) {
	c := &compiler{texts: texts, outcome: FromIndex}
	c.refuse = []refusal{{flagUnreadable, Unreadable}}
	c.bound(q.Bounds, q.UTC)
	c.filter(q)
	c.inLanguage(q.Language)
	c.flags(q)
	if q.Include != nil {
		c.include = newIDSet(q.Include)
		c.impossible = c.impossible || len(q.Include) == 0
	}
	c.protection(q)
	c.statuses(q)
	return &c.compiled, c.outcome
}

// fail notes why the query can't be answered.
func (c *compiler) fail(why Outcome) {
	if c.outcome == FromIndex {
		c.outcome = why
	}
}

// ids returns attributes of one kind, sorted.
func (c *compiler) ids(t tag, ids ...int64) (out []attribute) {
	for _, id := range ids {
		if !representable(id) {
			c.fail(OddID)
			return nil
		}
		out = append(out, attributeOf(t, id))
	}
	return sortedSet(out)
}

// names returns attributes of one kind by their texts, sorted; those that no event has
// are left out.
func (c *compiler) names(t tag, names ...string) (out []attribute) {
	for _, name := range names {
		if !plain(name) {
			c.fail(OddText)
			return nil
		}
		if n, known := c.texts.number(name); known {
			out = append(out, attributeOf(t, n))
		}
	}
	return sortedSet(out)
}

func (c *compiler) require(wanted []attribute) {
	c.all = append(c.all, wanted)
	c.impossible = c.impossible || len(wanted) == 0
}

// bound makes a range of each bound.
func (c *compiler) bound(bounds []wpstore.Bound, utc bool) {
	for _, b := range bounds {
		column := columnStart
		if b.End {
			column = columnEnd
		}
		if utc {
			column += columnStartUTC - columnStart
		}
		value, _ := parseDate(b.Date())
		within := columnBound{column, 0, 1<<62 - 1}
		switch b.Op {
		case ">=":
			within.low = value
		case ">":
			within.low = value + 1
		case "<=":
			within.high = value
		case "<":
			within.high = value - 1
		default:
			c.impossible = true
		}
		c.bounds = append(c.bounds, within)
	}
}

// filter takes the conditions by ids and the filters, the most selective ones first, as a rule.
func (c *compiler) filter(q *wpstore.EventQuery) {
	for _, f := range []struct {
		tag tag
		ids []int64
	}{{tagVenue, q.Venues}, {tagOrganizer, q.Organizers}, {tagCategory, q.Categories}, {tagTag, q.Tags}} {
		if f.ids != nil {
			c.require(c.ids(f.tag, f.ids...))
		}
	}
	for _, f := range q.Filters {
		switch has, known := c.meeting(f); {
		case !known: // Index.Find refuses it
		case f.Lacks:
			c.none = append(c.none, has...)
		default:
			c.require(has)
		}
	}
}

// meeting returns attributes one of which each event has that meets the condition of a filter;
// false where the index does not know which events do.
func (c *compiler) meeting(f wpstore.EventFilter) (has []attribute, known bool) {
	switch f.Name {
	case wpstore.FilterFeatured:
		return []attribute{attributeOf(tagFlag, flagFeatured)}, true
	case wpstore.FilterParent:
		return c.ids(tagParent, f.IDs...), true
	}
	return nil, false
}

// IndexesAll reports whether an index knows which events meet filters. A list with another one
// depends on all posts: the index does not notice that its events differ.
func IndexesAll(filters []wpstore.EventFilter) bool {
	var c compiler
	return !slices.ContainsFunc(filters, func(f wpstore.EventFilter) bool {
		_, known := c.meeting(f)
		return !known
	})
}

// inLanguage takes the language, which is a term or a code, depending on the plugin.
func (c *compiler) inLanguage(in wpstore.InLanguage) {
	switch {
	case in.Plugin == i18n.NoPlugin:
	case in.Code != "" && in.Posts == 0:
		c.require(c.names(tagLanguage, in.Code))
		c.refuse = append(c.refuse, refusal{flagOddLanguage, OddText})
	default:
		c.require(c.ids(tagLanguageTerm, in.Posts))
	}
}

// flags takes what an event has or lacks for its order.
func (c *compiler) flags(q *wpstore.EventQuery) {
	start := flagNoStart
	if q.Order.UTC {
		start = flagNoStartUTC
	}
	c.none = append(c.none, attributeOf(tagFlag, start))
}

// protection takes the conditions on passwords. The index has no passwords, so a query
// with passwords is answered only if no event is protected.
func (c *compiler) protection(q *wpstore.EventQuery) {
	compared := flagProtected
	if q.UnprotectedOnly { // as the collation compares
		compared = flagBlank
		c.unlocked = append(c.unlocked, []attribute{attributeOf(tagFlag, flagBlank)})
	}
	if q.Passwords == nil {
		return
	}
	if slices.ContainsFunc(q.Passwords, func(given string) bool { return given != "" }) {
		c.refuse = append(c.refuse, refusal{compared, Password})
	}
	var of []attribute
	if q.UnlockedFor != 0 {
		of = c.ids(tagAuthor, q.UnlockedFor)
	}
	c.unlocked = append(c.unlocked, of)
}

// statuses takes the conditions on the status.
func (c *compiler) statuses(q *wpstore.EventQuery) {
	c.refuse = append(c.refuse, refusal{flagOddStatus, OddText})
	c.status.named = c.names(tagStatus, q.Statuses...)
	if q.Statuses == nil {
		c.status.otherwise = true
		c.status.named = c.names(tagStatus, "trash", "auto-draft")
	}
	if q.Own != nil {
		c.status.author = c.ids(tagAuthor, q.Own.Author)
		c.status.own = c.names(tagStatus, q.Own.Statuses...)
	}
}
