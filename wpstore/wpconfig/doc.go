// Package wpconfig reads a site's wp-config.php without running it. It follows the common
// ways in which such files set constants. These are literals, texts joined with dots,
// environment variables with a default (getenv, $_ENV, env, getenv_docker), define, const
// and Config::define, and conditions that can be evaluated without PHP. For settings that
// only PHP can evaluate, it records the line and the reason and never guesses the value.
// Examples are arithmetic, lists, heredocs, other functions and other files.
//
// For config/application.php of a project on Bedrock, the variables of .env and .env.local
// are environment variables too, by the rules of phpdotenv. Libraries for Go have others: they
// replace $NAME without braces, which passwords and keys may contain.
//
// It turns a path ([Read]) or a text ([Parse]), and a getenv, into a [File] with the
// settings. [File.Database] returns the driver's settings from the DB_* constants.
//
//	file.go        Read, Parse, File
//	bedrock.go     projects on Bedrock; dotenv.go: .env; url.go: parse_url
//	database.go    DB_* constants, MYSQL_CLIENT_FLAGS; host.go: forms of DB_HOST
//	cursor.go      walking through tokens and brackets
//	statement.go   which statements run: if, loops, classes, return
//	expression.go  operators and their precedence
//	operand.go     literals, variables, brackets, elements
//	function.go    constants, calls, includes
//	findings.go    what is set so far, and how certain that is
//
// It imports wpstore/php and wpstore/phptoken, which splits the text into tokens.
package wpconfig
