// Package shortcode finds and executes shortcodes, whatever they show.
//
//	names.go    the registered shortcodes, sets of them
//	scanner.go  finds shortcodes
//	attrs.go    reads their attributes
//	run.go      replaces them by what the caller's function returns
//	tags.go     does so inside HTML tags
//	foreign.go  finds likely shortcodes of plugins that aren't known here
//
// Of wptext's packages it may import markup only.
package shortcode
