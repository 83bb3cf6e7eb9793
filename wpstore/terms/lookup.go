package terms

import (
	"context"
	"database/sql"
	"iter"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

// maxLookup bounds the texts of one statement of LookupTerms.
const maxLookup = 200

// LookupTerms finds terms by id, slug and name in one query, none if nothing is
// asked. Above 200 slugs or names it takes one query for each 200.
func (s *Store) LookupTerms(ctx context.Context, taxonomy string, l wpstore.TermLookup) (wpstore.TermMatches, error) {
	matches := wpstore.TermMatches{
		ByID:     make(map[int64]wpstore.Term, len(l.IDs)),
		BySlug:   make(map[string]wpstore.Term, len(l.Slugs)),
		ByName:   make(map[string]wpstore.Term, len(l.Names)),
		SameSlug: make(map[string][]wpstore.Term),
		Groups:   make(map[int64]i18n.Group),
	}
	ids, slugs, names := sqlconn.DistinctIDs(l.IDs), comparableTexts(l.Slugs), comparableTexts(l.Names)
	for len(ids)+len(slugs)+len(names) > 0 {
		block := wpstore.TermLookup{Translations: l.Translations, IDs: take(&ids, sqlconn.MaxInList), Slugs: take(&slugs, maxLookup), Names: take(&names, maxLookup)}
		if err := s.lookupTerms(ctx, taxonomy, block, matches); err != nil {
			return matches, err
		}
	}
	return matches, nil
}

// lookupTerms answers for a block. Which of the asked texts a term equals only
// the database can tell, so each row brings the answers as a row of 0 and 1.
func (s *Store) lookupTerms(ctx context.Context, taxonomy string, l wpstore.TermLookup, matches wpstore.TermMatches) error {
	query := sq.Select(Columns()...).
		Column(s.equalities("t.slug", l.Slugs)).
		Column(s.equalities("t.name", l.Names)).
		From(s.tables.Quoted("terms") + " t").
		Join(s.tables.Quoted("term_taxonomy") + " tt ON tt.term_id = t.term_id").
		Where(sq.Eq{"tt.taxonomy": taxonomy}).
		OrderBy("t.term_id")
	plugin := s.plugins.Of(l.Translations)
	query = plugin.JoinTermGroups(query, taxonomy)
	found := sq.Or{}
	if len(l.IDs) > 0 {
		found = append(found, sqlconn.IDList("t.term_id", l.IDs))
	}
	if len(l.Slugs) > 0 {
		found = append(found, sq.Eq{"t.slug": l.Slugs})
	}
	if len(l.Names) > 0 {
		found = append(found, sq.Eq{"t.name": l.Names})
	}
	return s.run.Query(ctx, "terms.lookup", query.Where(found), func(rows *sql.Rows) error {
		var t wpstore.Term
		var slugs, names string
		var groupFirst, groupSecond sql.NullString
		if err := rows.Scan(append(Targets(&t), &slugs, &names, &groupFirst, &groupSecond)...); err != nil {
			return err
		}
		plugin.AddTermGroup(matches.Groups, t.ID, groupFirst, groupSecond)
		if _, asked := slices.BinarySearch(l.IDs, t.ID); asked {
			matches.ByID[t.ID] = t
		}
		for text := range equalTexts(l.Slugs, slugs) {
			if same := matches.SameSlug[text]; len(same) == 0 {
				matches.BySlug[text], matches.SameSlug[text] = t, []wpstore.Term{t}
			} else if same[len(same)-1].ID != t.ID { // else one more member of its group
				matches.SameSlug[text] = append(same, t)
			}
		}
		for text := range equalTexts(l.Names, names) {
			if _, seen := matches.ByName[text]; !seen {
				matches.ByName[text] = t
			}
		}
		return nil
	})
}

// equalities is an expression of one digit for each text: 1 where the column
// equals it.
func (s *Store) equalities(column string, texts []string) sq.Sqlizer {
	if len(texts) == 0 {
		return sq.Expr("''")
	}
	each := make([]string, len(texts))
	args := make([]any, len(texts))
	for i, text := range texts {
		each[i] = "(" + column + " = ?)"
		args[i] = text
	}
	return sq.Expr(s.run.Dialect().Concat(each...), args...)
}

// equalTexts are the texts that the digits of equalities say are equal.
func equalTexts(asked []string, equal string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, text := range asked {
			if i < len(equal) && equal[i] == '1' && !yield(text) {
				return
			}
		}
	}
}

// comparableTexts returns the texts that a column can equal, once each.
func comparableTexts(texts []string) []string {
	out := slices.Clone(texts)
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(text string) bool { return !sqlconn.Searchable(text) })
}

// take cuts up to n elements off the front.
func take[T any](from *[]T, n int) []T {
	n = min(n, len(*from))
	block := (*from)[:n:n]
	*from = (*from)[n:]
	return block
}

// TermTranslations returns the translations of the terms of a taxonomy, by term
// id, like PostTranslations. Ids that are no terms of it are absent.
func (s *Store) TermTranslations(ctx context.Context, languages *i18n.Languages, taxonomy string, ids []int64) (map[int64]i18n.Group, error) {
	if languages.Plugin == i18n.NoPlugin {
		return nil, nil
	}
	found, err := s.LookupTerms(ctx, taxonomy, wpstore.TermLookup{IDs: ids, Translations: languages.Plugin})
	return found.Groups, err
}
