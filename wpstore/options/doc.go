// Package options reads the options of a site.
//
//   - options.go: [Store], options by name, as stored
//   - facts.go: [Store.SiteFacts], what the options say about the site
//
// It turns names into raw texts or [wpstore.SiteFacts]. It imports sqlconn and langplugin,
// which adds the languages, and no other store.
package options
