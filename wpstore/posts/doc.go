// Package posts reads posts of any type, with their metadata, pictures and
// translations.
//
//	post.go          Store; posts and their heads by id, posts by path, images
//	meta.go          metadata, all that is shown or some keys
//	set.go           posts with metadata and terms, the three queries sent together
//	translations.go  groups of translations
//	attachment.go    files by URL
//
// What comes in are ids, paths and URLs; what goes out are rows by id. A [Store] is for
// one request or one transaction. Posts, metadata and translations may come from the
// request's view of package rowcache.
//
// It imports sqlconn, rowcache, langplugin and terms, and no other store.
package posts
