// Package phptoken splits PHP source into tokens, for packages that read configuration,
// language packs and plugins without running them.
//
//	token.go   Token and its kinds
//	scan.go    text to tokens
//	quoted.go  the value of a text in quotes
//
// It imports nothing of this module.
package phptoken
