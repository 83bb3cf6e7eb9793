// Package langplugin is a stand-in until h1-edit is merged: what read stores ask of
// language plugins.
package langplugin

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

type Plugin interface {
	Name() i18n.Plugin
	SiteTables() []string
	ReadSite(ctx context.Context, run *sqlconn.Runner, facts *wpstore.SiteFacts, tables map[string]bool) error
	JoinPosts(query sq.SelectBuilder, in wpstore.InLanguage, postType, column string) sq.SelectBuilder
	JoinVariant() string
	SecondLanguage(in wpstore.InLanguage) (sq.Sqlizer, bool)
	WorthScanning(posts int64) bool
	PostColumn(query sq.SelectBuilder, languages *i18n.Languages) sq.SelectBuilder
	PostVariant(languages *i18n.Languages) string
	PostLanguage(languages *i18n.Languages, value string) string
	PostGroups(ctx context.Context, run *sqlconn.Runner, name string, ids []int64, found map[int64]i18n.Group) error
	JoinTerms(query sq.SelectBuilder, in wpstore.InLanguage, taxonomy string) sq.SelectBuilder
	JoinTermGroups(query sq.SelectBuilder, taxonomy string) sq.SelectBuilder
	AddTermGroup(groups map[int64]i18n.Group, id int64, first, second sql.NullString)
}

type Plugins []Plugin

func (all Plugins) Of(name i18n.Plugin) Plugin { panic("stand-in") }
func (all Plugins) SiteTables() []string        { panic("stand-in") }
func (all Plugins) JoinVariant() string         { panic("stand-in") }
