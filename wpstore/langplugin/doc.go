// Package langplugin is the interface between the database's packages and language plugins:
// how posts and terms are filed under languages, for reading and for writing. No other
// package depends on which plugin a site has. A new plugin needs a package that implements
// Plugin, its name and URLs in package i18n, and a line in package sitedb, which lists all
// plugins.
//
//	plugin.go     Plugin: the site's languages, joins of queries, translations, and which
//	              rows of the change feed concern languages
//	writer.go     Writer: the hooks of writing posts and terms, and the Rules of a request
//	plugins.go    Plugins: all that this program supports
//	none.go       None, the site without a plugin; plain.go is its Writer
//
// # What always holds
//
//   - A query names the plugin (wpstore.InLanguage.Plugin), as do a site's facts
//     (i18n.Languages.Plugin). Plugins.Of finds it.
//   - Joins of languages never multiply the rows of a query.
//   - A Writer is for one attempt of a transaction. Its methods are called in WordPress's
//     order. Finish is called last, after counts were written. It changes rows only
//     through package rowedit.
//
// Stores and package edit import this package; it imports rowedit, rowtags, sqlconn and
// i18n, and no plugin.
package langplugin
