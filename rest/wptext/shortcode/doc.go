// Package shortcode finds and executes shortcodes, without knowing what any of
// them shows. names.go lists those that are registered and holds sets of them;
// scanner.go finds them, attrs.go reads their attributes, run.go replaces them by
// what a function of the caller returns, tags.go does so inside HTML tags.
// foreign.go finds what looks like a shortcode of a plugin that is not known here.
//
// Of wptext's packages it may import markup and scan only.
package shortcode
