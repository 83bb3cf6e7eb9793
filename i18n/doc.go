// Package i18n implements the language rules of the API and holds its default wording in
// English, Czech and German.
//
// From what Polylang or WPML stores about languages, and from the path, host and parameters
// of a request, it determines the language of the request and its texts.
//
//	languages.go   languages of a site, translations of an object
//	detect.go      languages from what WPML and Polylang store
//	resolve.go     the language that a URL names, by directory, host or parameter
//	choice.go      the languages of a response; URLs of languages
//	new_content.go the language of new content
//	catalogue.go   wording: english.go, czech.go, german.go
//
// It imports nothing of this module and has no SQL and no HTTP: rows come from wpstore,
// requests from rest.
package i18n
