// Package langplugin is the one interface between the database's packages and language
// plugins: how posts and terms are filed under languages, for reading and for writing.
// Nothing else asks which plugin a site has. A new plugin is one package that
// implements Plugin, its name and URLs in package i18n, and a line where package sitedb
// lists all.
//
//	plugin.go     Plugin: the site's languages, joins of queries, translations, and which
//	              rows tell the change feed that languages changed
//	writer.go     Writer: what writing posts and terms calls, and the Rules of a request
//	plugins.go    Plugins: all that are known
//	none.go       None, the site without a plugin; plain.go is its Writer
//
// # What always holds
//
//   - A query names the plugin (wpstore.InLanguage.Plugin), and a site's facts do
//     (i18n.Languages.Plugin); Plugins.Of finds it, and finds None for none.
//   - What joins languages to a query never multiplies its rows.
//   - A Writer lives as long as one attempt of a transaction. Its methods are called in
//     WordPress's order, Finish last. It changes rows through package rowedit only, so
//     it never calls back into what called it.
//
// Stores and package edit import this package; it imports rowedit, changefeed,
// sqlconn and i18n, and no plugin.
package langplugin
