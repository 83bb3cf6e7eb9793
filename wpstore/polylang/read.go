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

// JoinVariant implements [langplugin.Plugin]: there is none.
func (*Plugin) JoinVariant() string { return "" }

// SecondLanguage implements [langplugin.Plugin]: it is not possible.
func (*Plugin) SecondLanguage(wpstore.InLanguage) (sq.Sqlizer, bool) { return nil, false }

// WorthScanning implements [langplugin.Plugin].
func (*Plugin) WorthScanning(int64) bool { return false }

// CodeTable implements [langplugin.Plugin]: terms tell.
func (*Plugin) CodeTable() string { return "" }

// PostCodes implements [langplugin.Plugin].
func (*Plugin) PostCodes(context.Context, *sqlconn.Runner, string, string, []int64, func(int64, string)) error {
	return nil
}

// JoinTerms implements [langplugin.Plugin].
func (p *Plugin) JoinTerms(query sq.SelectBuilder, in wpstore.InLanguage, _ string) sq.SelectBuilder {
	return query.Join(p.tables.Quoted("term_relationships") +
		" lr ON lr.object_id = t.term_id AND lr.term_taxonomy_id = " + strconv.FormatInt(in.Terms, 10))
}

// PostColumn implements [langplugin.Plugin]: the term_taxonomy id of its language, NULL
// without one. A correlated subquery, so that no broken table multiplies rows.
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

// PostGroups implements [langplugin.Plugin]. Posts of a group of
// their own have no row for it, or one that names them alone.
func (p *Plugin) PostGroups(ctx context.Context, run *sqlconn.Runner, name string, ids []int64, found map[int64]i18n.Group) error {
	query := sq.Select("tr.object_id", "tt.taxonomy", "t.slug", "tt.description").
		From(p.tables.Quoted("term_relationships") + " tr").
		Join(p.tables.Quoted("term_taxonomy") + " tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Join(p.tables.Quoted("terms") + " t ON t.term_id = tt.term_id").
		Where(sqlconn.IDList("tr.object_id", ids)).
		Where(sq.Eq{"tt.taxonomy": []string{PostLanguages, PostGroups}})
	own := map[int64]string{}
	err := run.Query(ctx, name, query, func(rows *sql.Rows) error {
		var id int64
		var taxonomy, slug, description string
		if err := rows.Scan(&id, &taxonomy, &slug, &description); err != nil {
			return err
		}
		if taxonomy == PostGroups {
			found[id] = group(description)
		} else {
			own[id] = slug
		}
		return nil
	})
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

// ownLanguageCounts makes a group of Polylang say of an object itself what the
// object says: what the group says of it is a copy. code is "" for an object
// without a language. No group and no language is nil.
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

// JoinTermGroups implements [langplugin.Plugin]: the slug of the term's language and
// the description of its group.
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

// group unserializes the description in which Polylang keeps the members of a
// group of translations: ids by language code.
func group(description string) i18n.Group {
	array := phpserial.Array(description)
	members := make(i18n.Group, array.Len())
	for code, id := range array.All() {
		members[code.String()] = php.ToInt(id)
	}
	return members
}
