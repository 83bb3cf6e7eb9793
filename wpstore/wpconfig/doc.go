// Package wpconfig reads a site's wp-config.php without running it. It follows the plain
// ways in which such files set constants: literals, texts joined with dots, environment
// variables with a default (getenv, $_ENV, env, getenv_docker), define, const and
// Config::define, and conditions that reading can decide. What only PHP can decide keeps
// its line and the reason, and is never guessed: arithmetic, lists, heredocs, other
// functions, other files.
//
// In: a path ([Read]) or a text ([Parse]), and a getenv. Out: a [File] with the settings,
// and a data source name from the DB_* constants ([File.Database]).
//
//	file.go        Read, Parse, File
//	database.go    DB_* constants, forms of DB_HOST
//	cursor.go      walking through tokens and brackets
//	statement.go   which statements run: if, loops, classes, return
//	expression.go  operators and how strongly they bind
//	operand.go     literals, variables, brackets, elements
//	function.go    constants, calls, includes
//	findings.go    what is set so far, and how certain that is
//
// It imports wpstore/php and wpstore/phptoken, which splits the text into tokens.
package wpconfig
