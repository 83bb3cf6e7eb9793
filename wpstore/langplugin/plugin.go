package langplugin

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// Plugin is a language plugin. It implements how posts and terms are filed under languages.
// It is safe for concurrent use.
type Plugin interface {
	Name() i18n.Plugin
	SiteReader
	PostReader
	CodeReader
	TermReader

	// Storage describes which rows of the change feed concern languages.
	Storage() rowtags.Storage
	// Tables are the plugin's own tables that writes change.
	Tables() []rowedit.Table
	// ObjectTaxonomies are the taxonomies under which the plugin files terms, in the same
	// table as posts.
	ObjectTaxonomies() []string
	// Writer returns the Writer for one transaction.
	Writer(rows *rowedit.Rows, posts Posts, terms Terms, rules Rules) Writer
}

// SiteReader reads the languages of the site.
type SiteReader interface {
	// SiteTables are the tables that ReadSite needs to be checked for existence.
	SiteTables() []string
	// ReadSite adds the site's languages to its facts. A plugin that is active but was
	// never set up gives the site no languages. At most one query.
	ReadSite(ctx context.Context, run *sqlconn.Runner, facts *wpstore.SiteFacts, tables map[string]bool) error
}

// PostReader restricts queries of posts to a language and reads the languages of posts.
type PostReader interface {
	// JoinPosts restricts a query to posts of a type in a language. column contains the
	// ids.
	JoinPosts(query sq.SelectBuilder, in wpstore.InLanguage, postType, column string) sq.SelectBuilder
	// JoinVariant returns what JoinPosts depends on besides its arguments.
	JoinVariant() string
	// SecondLanguage returns an expression for a query of JoinPosts: 1 for a post in the
	// second language, else 0. It returns false if a second language isn't possible.
	SecondLanguage(in wpstore.InLanguage) (sq.Sqlizer, bool)
	// WorthScanning reports whether InLanguage.Scan speeds up a query of two languages that
	// finds this many posts.
	WorthScanning(posts int64) bool

	// PostColumn adds a column with the language of each post to a query of posts, and
	// PostLanguage reads it. PostVariant returns what PostColumn depends on.
	PostColumn(query sq.SelectBuilder, languages *i18n.Languages) sq.SelectBuilder
	PostVariant(languages *i18n.Languages) string
	PostLanguage(languages *i18n.Languages, value string) string
	// PostGroups reads the translations of posts, by id. One query, of the given name.
	PostGroups(ctx context.Context, run *sqlconn.Runner, name string, ids []int64, found map[int64]i18n.Group) error
}

// CodeReader reads the language codes of many posts, for an index in memory. It is for
// plugins that don't file posts under a term (wpstore.InLanguage.Posts).
type CodeReader interface {
	// CodeTable returns the table of the languages of posts, "" if there is none.
	CodeTable() string
	// PostCodes reads that table for posts of a type. One query, of the given name.
	PostCodes(ctx context.Context, run *sqlconn.Runner, name, postType string, ids []int64, each func(post int64, code string)) error
}

// TermReader restricts queries of terms to a language and reads the languages of terms.
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
