package polylang

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sqlconn"
)

// JoinPosts implements [langplugin.Plugin].
func (p *Plugin) JoinPosts(query sq.SelectBuilder, in wpstore.InLanguage, _, column string) sq.SelectBuilder {
	return query.JoinClause(p.dialect.JoinInOrder() + " " + p.tables.Quoted("term_relationships") +
		" lr ON lr.object_id = " + column + " AND lr.term_taxonomy_id = " + strconv.FormatInt(in.Posts, 10))
}

// JoinTerms implements [langplugin.Plugin].
func (p *Plugin) JoinTerms(query sq.SelectBuilder, in wpstore.InLanguage, _ string) sq.SelectBuilder {
	return query.Join(p.tables.Quoted("term_relationships") +
		" lr ON lr.object_id = t.term_id AND lr.term_taxonomy_id = " + strconv.FormatInt(in.Terms, 10))
}

// PostColumn implements [langplugin.Plugin]. The column is the term_taxonomy id of the
// post's language, or NULL. It is a correlated subquery, so that broken tables can't
// multiply rows.
func (p *Plugin) PostColumn(query sq.SelectBuilder, languages *i18n.Languages) sq.SelectBuilder {
	var terms []int64
	for i := range languages.All {
		terms = append(terms, languages.All[i].PostTerm)
	}
	return query.Column(sq.Expr("(?)", sq.Select("MIN(lr.term_taxonomy_id)").
		From(p.tables.Quoted("term_relationships")+" lr").
		Where("lr.object_id = "+p.tables.Quoted("posts")+".ID").
		Where(sqlconn.IDList("lr.term_taxonomy_id", terms))))
}

// PostVariant implements [langplugin.Plugin].
func (*Plugin) PostVariant(languages *i18n.Languages) string {
	variant := []byte(i18n.Polylang)
	for i := range languages.All {
		variant = strconv.AppendInt(append(variant, ' '), languages.All[i].PostTerm, 10)
	}
	return string(variant)
}

// PostLanguage implements [langplugin.Plugin].
func (*Plugin) PostLanguage(languages *i18n.Languages, value string) string {
	id := php.ToInt(value)
	for i := range languages.All {
		if id != 0 && languages.All[i].PostTerm == id {
			return languages.All[i].Code
		}
	}
	return ""
}

// PostGroups implements [langplugin.Plugin]. A post without translations has no group, or
// one that lists only itself.
func (p *Plugin) PostGroups(ctx context.Context, run *sqlconn.Runner, name string, ids []int64, found map[int64]i18n.Group) error {
	query := sq.Select("tr.object_id", "tt.taxonomy", "t.slug", "tt.description").
		From(p.tables.Quoted("term_relationships") + " tr").
		Join(p.tables.Quoted("term_taxonomy") + " tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Join(p.tables.Quoted("terms") + " t ON t.term_id = tt.term_id").
		Where(sqlconn.IDList("tr.object_id", ids)).
		Where(sq.Eq{"tt.taxonomy": []string{PostLanguages, PostGroups}})
	own := map[int64]string{}
	var post int64
	var taxonomy, slug, description string
	err := run.Query(ctx, name, query, sqlconn.EachRow(func() {
		if taxonomy == PostGroups {
			found[post] = group(description)
		} else {
			own[post] = slug
		}
	}, &post, &taxonomy, &slug, &description))
	if err != nil {
		return err
	}
	for _, id := range ids {
		if members := ownLanguageCounts(found[id], id, own[id]); members != nil {
			found[id] = members
		}
	}
	return nil
}

// ownLanguageCounts sets an object's own language in its group, which is only a copy, to
// code, "" for no language. Without group and language the result is nil.
func ownLanguageCounts(members i18n.Group, id int64, code string) i18n.Group {
	if listed := members.Of(id); listed != "" && listed != code {
		delete(members, listed)
	}
	if code == "" {
		return members
	}
	if members == nil {
		members = i18n.Group{}
	}
	members[code] = id
	return members
}

// JoinTermGroups implements [langplugin.Plugin]. The columns are the slug of the term's
// language and the description of its group.
func (p *Plugin) JoinTermGroups(query sq.SelectBuilder, _ string) sq.SelectBuilder {
	filed := func(column, under string) sq.Sqlizer {
		return sq.Expr("(?)", sq.Select("MIN("+column+")").
			From(p.tables.Quoted("term_relationships")+" gr").
			Join(p.tables.Quoted("term_taxonomy")+" g ON g.term_taxonomy_id = gr.term_taxonomy_id").
			Join(p.tables.Quoted("terms")+" gt ON gt.term_id = g.term_id").
			Where("gr.object_id = t.term_id").
			Where(sq.Eq{"g.taxonomy": under}))
	}
	return query.Column(filed("gt.slug", TermLanguages)).Column(filed("g.description", TermGroups))
}

// AddTermGroup implements [langplugin.Plugin].
func (*Plugin) AddTermGroup(groups map[int64]i18n.Group, id int64, first, second sql.NullString) {
	if first.Valid || second.Valid {
		groups[id] = ownLanguageCounts(group(second.String), id, strings.TrimPrefix(first.String, "pll_"))
	}
}

// group parses the description of a group of translations: serialized ids by language code.
func group(description string) i18n.Group {
	array := phpserial.Array(description)
	members := make(i18n.Group, array.Len())
	for code, id := range array.All() {
		members[code.String()] = php.ToInt(id)
	}
	return members
}
