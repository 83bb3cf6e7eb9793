// Package phptoken splits PHP source into tokens, for those who read configuration,
// language packs and plugins without running them.
//
//	token.go   Token and its kinds
//	scan.go    text to tokens
//	quoted.go  what a text in quotes stands for
//
// It imports nothing of this module.
package phptoken
