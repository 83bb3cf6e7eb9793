// Package wpconfig reads a site's wp-config.php without running it. It takes the
// file apart into PHP's tokens and follows the plain ways in which such files set
// constants: literals, text put together, environment variables with a default,
// conditions that can be decided by reading. What only PHP could decide is
// reported with its line and never guessed.
//
// [Read] takes a path, [Parse] a text; a [File] comes out (file.go), and of that the
// address of the database (database.go). On the way, token.go and text.go take the
// text apart, cursor.go walks through the tokens, statement.go decides which
// statements run, expression.go, operand.go and function.go work out values, and
// findings.go collects what is set. It imports PHP's values and nothing else of this
// module.
package wpconfig
