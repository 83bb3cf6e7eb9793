// Package i18n holds the language rules of the interface and the wording that it
// shows by default, in English, Czech and German.
//
// In: what Polylang or WPML stores about languages, and paths, hosts and parameters of
// requests. Out: the language of a request, and texts.
//
//	languages.go   languages of a site, translations of an object
//	detect.go      languages from what WPML and Polylang store
//	choice.go      in which languages a request is answered; URLs of languages
//	new_content.go the language of what a write creates
//	catalogue.go   wording: english.go, czech.go, german.go
//
// It imports nothing of this module and has no SQL and no HTTP: rows come from wpstore,
// requests from rest.
package i18n
