package wpfolder

import (
	"strings"

	"calbridge/wpstore/phptoken"
)

// call is a call of a function by its name, with a plain text as the first of several
// arguments.
type call struct {
	function, argument string
	line               int
}

// callLength is the number of tokens that show a call: the one before it, the name, the
// bracket, the argument, the comma.
const callLength = 5

// callIn returns the call that callLength tokens form; the zero call if they form none.
func callIn(tokens []phptoken.Token) call {
	before, name := tokens[0], tokens[1]
	argument, plain := tokens[3].Quoted()
	switch {
	case name.Kind != phptoken.Word, before.Is("function", "new", "->", "?->", "::"):
	case tokens[2].Is("(") && plain && tokens[4].Is(","):
		return call{strings.ToLower(name.Text), argument, name.Line}
	}
	return call{}
}

// hookCalls returns the calls of add_filter and add_action in PHP source whose first argument
// is one of names, at most limit of them.
func hookCalls(src string, names map[string]bool, limit int) []call {
	if !strings.Contains(src, "add_filter") && !strings.Contains(src, "add_action") {
		return nil
	}
	var found []call
	var window [callLength]phptoken.Token
	for t := range phptoken.All(src) {
		copy(window[:], window[1:])
		window[callLength-1] = t
		c := callIn(window[:])
		if (c.function == "add_filter" || c.function == "add_action") && names[c.argument] {
			if len(found) == limit {
				break
			}
			found = append(found, c)
		}
	}
	return found
}
