package events

import (
	"context"
	"slices"
	"unicode/utf8"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/searchindex"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/dialect"
	"calbridge/wpstore/table"
)

// SearchSource reads the texts that searches compare, as [searchindex.Source].
type SearchSource struct{ source Source }

// NewSearchSource returns a SearchSource.
func NewSearchSource(run *sqlconn.Runner, tables table.Names) SearchSource {
	return SearchSource{Source{run: run, tables: tables}}
}

// searchedTypes returns the types of posts that have searches.
func searchedTypes() []string {
	return []string{wpstore.EventType, wpstore.VenueType, wpstore.OrganizerType}
}

// searchedColumns returns the columns of posts that searches compare.
func searchedColumns() []string { return []string{"p.post_title", "p.post_excerpt", "p.post_content"} }

// unicodeConnection is the character set of connections in which texts are UTF-8.
const unicodeConnection = "utf8mb4"

func (s SearchSource) Columns(ctx context.Context) (found []searchindex.Collation, err error) {
	run := s.source.run
	if run.Dialect().Embedded() || run.Servers().Charset().Name != unicodeConnection {
		return nil, nil
	}
	columns := 0
	tables := []string{s.source.tables.Plain("posts"), s.source.tables.Plain("postmeta")}
	compared := sq.Eq{"column_name": []string{"post_title", "post_excerpt", "post_content", "meta_value"}}
	query := dialect.OfTables("columns", []string{"character_set_name", "collation_name", "VERSION()"}, tables, compared)
	err = s.source.each(ctx, "search.columns", query, func(v *values) {
		columns++
		if c := (searchindex.Collation{Charset: string(v.texts[0]), Name: string(v.texts[1]), Server: string(v.texts[2])}); !slices.Contains(found, c) {
			found = append(found, c)
		}
	})
	if columns != 4 { // a table is missing, or hidden from the user
		return nil, err
	}
	return found, err
}

// sixteen are the digits of hexadecimal numbers, as a table that every server has.
const sixteen = "(SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7" +
	" UNION ALL SELECT 8 UNION ALL SELECT 9 UNION ALL SELECT 10 UNION ALL SELECT 11 UNION ALL SELECT 12 UNION ALL SELECT 13 UNION ALL SELECT 14 UNION ALL SELECT 15)"

func (s SearchSource) Weights(ctx context.Context, c searchindex.Collation, first, last rune, each func(rune, []byte)) error {
	text := "CONVERT(CHAR(n USING utf32) USING " + c.Charset + ")"
	for ; first <= last; first += 1 << 16 {
		numbers := sq.Select().
			Column("a.d + 16 * b.d + 256 * c.d + 4096 * e.d + ? AS n", int64(first)).
			From(sixteen + " a").CrossJoin(sixteen + " b").CrossJoin(sixteen + " c").CrossJoin(sixteen + " e")
		query := sq.Select("n", text, "WEIGHT_STRING("+text+" COLLATE "+c.Name+")").
			FromSelect(numbers, "numbers").
			Where("n <= ?", int64(last)).
			Where("n NOT BETWEEN 55296 AND 57343") // surrogates are not characters
		err := s.source.each(ctx, "search.weights", query, func(v *values) {
			n := rune(v.number(0))
			// A character that the character set lacks becomes a question mark.
			if r, size := utf8.DecodeRune(v.texts[1]); r == n && size == len(v.texts[1]) {
				each(n, v.texts[2])
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s SearchSource) IDs(ctx context.Context) (ids []int64, err error) {
	query := sq.Select("ID").
		From(s.source.tables.Quoted("posts")).
		Where(sq.Eq{"post_type": searchedTypes()})
	err = s.source.each(ctx, "search.ids", query, func(v *values) { ids = append(ids, v.number(0)) })
	return ids, err
}

func (s SearchSource) Texts(ctx context.Context, ids []int64, each func(int64, ...[]byte)) error {
	query := sq.Select("p.ID").Columns(searchedColumns()...).
		Column(sq.Eq{"p.post_type": wpstore.EventType}).
		From(s.source.tables.Quoted("posts") + " p").
		Where(sq.Eq{"p.post_type": searchedTypes()}).
		Where(of("p.ID", ids))
	var linked []int64
	err := s.source.each(ctx, "search.posts", query, func(v *values) {
		id := v.number(0)
		each(id, v.texts[1:4]...)
		if !v.yes(4) {
			linked = append(linked, id)
		}
	})
	if err != nil || len(linked) == 0 {
		return err
	}
	keys := append(searchedMeta(wpstore.VenueType), searchedMeta(wpstore.OrganizerType)...)
	query = sq.Select("m.post_id", "m.meta_value").
		From(s.source.tables.Quoted("postmeta") + " m").
		Where(sqlconn.IDList("m.post_id", linked)).
		Where(sq.Eq{"m.meta_key": keys})
	return s.source.each(ctx, "search.meta", query, func(v *values) { each(v.number(0), v.texts[1]) })
}
