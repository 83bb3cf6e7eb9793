// Package posts reads posts of any type, with their metadata, pictures and translations.
//
//	post.go  Store; posts and heads by id, posts by path, images, files by URL,
//	         translations
//	meta.go  metadata: everything that responses show, or some keys
//	set.go   posts with metadata and terms, in three queries that are sent together
//
// It takes ids, paths and URLs and returns rows by id. A [Store] is for one request or one
// transaction. Posts, metadata and translations may come from the row cache. Each method
// runs one query, and none for no ids.
//
// It imports sqlconn, rowcache, langplugin and terms, and no other store.
package posts
