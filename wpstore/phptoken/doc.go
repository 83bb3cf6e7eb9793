// Package phptoken splits PHP source into tokens.
package phptoken
