package langplugin

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// Plugin is a language plugin: how it files posts and terms under languages. It is
// safe for concurrent use.
type Plugin interface {
	// Name is what package i18n calls it.
	Name() i18n.Plugin
	SiteReader
	PostReader
	CodeReader
	TermReader

	// Storage says which rows tell that languages changed.
	Storage() changefeed.Storage
	// Tables are those of its own that writes change.
	Tables() []rowedit.Table
	// ObjectTaxonomies are taxonomies under which it files terms, by their ids, in the
	// same table as posts.
	ObjectTaxonomies() []string
	// Writer keeps its rows during one transaction.
	Writer(rows *rowedit.Rows, posts Posts, terms Terms, rules Rules) Writer
}

// SiteReader finds out about the site.
type SiteReader interface {
	// SiteTables are those whose existence ReadSite asks for.
	SiteTables() []string
	// ReadSite adds the site's languages to its facts. A plugin that is active but
	// was never set up gives the site no languages. One query at most.
	ReadSite(ctx context.Context, run *sqlconn.Runner, facts *wpstore.SiteFacts, tables map[string]bool) error
}

// PostReader restricts queries of posts to a language and tells that of posts.
type PostReader interface {
	// JoinPosts restricts a query to the posts of a type, whose ids are in a column,
	// that are in a language. Each post has one row at most, so none is multiplied.
	JoinPosts(query sq.SelectBuilder, in wpstore.InLanguage, postType, column string) sq.SelectBuilder
	// JoinVariant is what JoinPosts depends on besides its arguments.
	JoinVariant() string
	// SecondLanguage is, in a query of JoinPosts, 1 for a post of the second language
	// and else 0; false where a second language is not possible.
	SecondLanguage(in wpstore.InLanguage) (sq.Sqlizer, bool)
	// WorthScanning says whether a query of two languages that finds so many posts is
	// answered sooner with InLanguage.Scan.
	WorthScanning(posts int64) bool

	// PostColumn adds a column with the language of each post to a query of posts, and
	// PostLanguage reads it. PostVariant is what PostColumn depends on.
	PostColumn(query sq.SelectBuilder, languages *i18n.Languages) sq.SelectBuilder
	PostVariant(languages *i18n.Languages) string
	PostLanguage(languages *i18n.Languages, value string) string
	// PostGroups reads the translations of posts, by id. One query, of the given name.
	PostGroups(ctx context.Context, run *sqlconn.Runner, name string, ids []int64, found map[int64]i18n.Group) error
}

// CodeReader tells the languages of many posts by their codes, for an index in memory.
// Where posts have a term of their language instead (wpstore.InLanguage.Posts), there
// is nothing to read.
type CodeReader interface {
	// CodeTable is the plugin's own table of languages of posts, "" for none.
	CodeTable() string
	// PostCodes reads it for posts of a type. One query, of the given name.
	PostCodes(ctx context.Context, run *sqlconn.Runner, name, postType string, ids []int64, each func(post int64, code string)) error
}

// TermReader restricts queries of terms to a language and tells that of terms.
type TermReader interface {
	// JoinTerms restricts a query of the terms t, tt of a taxonomy to a language.
	JoinTerms(query sq.SelectBuilder, in wpstore.InLanguage, taxonomy string) sq.SelectBuilder
	// JoinTermGroups adds two columns to a query of the terms t, tt of a taxonomy, which
	// AddTermGroup reads. There may be several rows of a term.
	JoinTermGroups(query sq.SelectBuilder, taxonomy string) sq.SelectBuilder
	AddTermGroup(groups map[int64]i18n.Group, id int64, first, second sql.NullString)
}

// Posts reads posts within the transaction of a Writer.
type Posts interface {
	rowedit.PostReader
	PostTranslations(ctx context.Context, languages *i18n.Languages, ids []int64) (map[int64]i18n.Group, error)
}

// Terms reads terms within the transaction of a Writer.
type Terms interface {
	Terms(ctx context.Context, taxonomy string, ids []int64) (map[int64]wpstore.Term, error)
	PostTerms(ctx context.Context, postIDs []int64, taxonomies []string) (map[int64][]wpstore.Term, error)
	TermTranslations(ctx context.Context, languages *i18n.Languages, taxonomy string, ids []int64) (map[int64]i18n.Group, error)
}
