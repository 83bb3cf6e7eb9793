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

// maxLookup limits the texts in one statement of LookupTerms.
const maxLookup = 200

// LookupTerms finds terms by id, slug and name, in one query for up to 200 slugs and 200
// names.
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

// lookupTerms looks up a block. Only the database can compare texts under its collation.
// Each row therefore has one digit for each text: 1 if the term equals it.
func (s *Store) lookupTerms(ctx context.Context, taxonomy string, l wpstore.TermLookup, matches wpstore.TermMatches) error {
	query := Select(s.tables, taxonomy, Columns()...).
		Column(s.equalities("t.slug", l.Slugs)).
		Column(s.equalities("t.name", l.Names)).
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
	var t wpstore.Term
	var slugs, names string
	var groupFirst, groupSecond sql.NullString
	return s.run.Query(ctx, "terms.lookup", query.Where(found), sqlconn.EachRow(func() {
		plugin.AddTermGroup(matches.Groups, t.ID, groupFirst, groupSecond)
		if _, asked := slices.BinarySearch(l.IDs, t.ID); asked {
			matches.ByID[t.ID] = t
		}
		for text := range equalTexts(l.Slugs, slugs) {
			if same := matches.SameSlug[text]; len(same) == 0 {
				matches.BySlug[text], matches.SameSlug[text] = t, []wpstore.Term{t}
			} else if same[len(same)-1].ID != t.ID { // a term has a row for each translation
				matches.SameSlug[text] = append(same, t)
			}
		}
		for text := range equalTexts(l.Names, names) {
			if _, seen := matches.ByName[text]; !seen {
				matches.ByName[text] = t
			}
		}
	}, append(Targets(&t), &slugs, &names, &groupFirst, &groupSecond)...))
}

// equalities returns an expression with one digit for each text: 1 if the column equals it.
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

// equalTexts returns the texts whose digit in equalities is 1.
func equalTexts(asked []string, equal string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, text := range asked {
			if i < len(equal) && equal[i] == '1' && !yield(text) {
				return
			}
		}
	}
}

// comparableTexts returns the distinct texts that a column can hold.
func comparableTexts(texts []string) []string {
	out := slices.Clone(texts)
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(text string) bool { return !sqlconn.Searchable(text) })
}

// take removes up to n elements from the front and returns them.
func take[T any](from *[]T, n int) []T {
	n = min(n, len(*from))
	block := (*from)[:n:n]
	*from = (*from)[n:]
	return block
}

// TermTranslations returns the translations of the terms of a taxonomy, by term id, like
// PostTranslations of package posts. Ids of other terms are absent.
func (s *Store) TermTranslations(ctx context.Context, languages *i18n.Languages, taxonomy string, ids []int64) (map[int64]i18n.Group, error) {
	if languages.Plugin == i18n.NoPlugin {
		return nil, nil
	}
	found, err := s.LookupTerms(ctx, taxonomy, wpstore.TermLookup{IDs: ids, Translations: languages.Plugin})
	return found.Groups, err
}
