package langpack

import "strings"

// The text domains of the packs that responses depend on.
const (
	Core     = "default"
	Calendar = "the-events-calendar"
	Common   = "tribe-common" // the library within The Events Calendar
)

// Text is a text of WordPress or The Events Calendar that is contained in responses or used
// to make them.
type Text struct {
	Name    string // used in this program, such as "opening double"
	Domain  string
	Context string
	// Original is the text that a pack translates. Default is used if no pack has it.
	Original, Default string
}

// elisions are the English words that begin with an apostrophe.
const elisions = "'tain't,'twere,'twas,'tis,'twill,'til,'bout,'nuff,'round,'cause,'em"

// Texts returns the texts whose translation changes more than the wording of messages.
func Texts() []Text {
	core := func(name, context, original string) Text { return Text{name, Core, context, original, original} }
	calendar := func(name, context, original string) Text { return Text{name, Calendar, context, original, original} }
	return []Text{
		core("opening double", "opening curly double quote", "&#8220;"),
		core("closing double", "closing curly double quote", "&#8221;"),
		core("opening single", "opening curly single quote", "&#8216;"),
		core("closing single", "closing curly single quote", "&#8217;"),
		core("apostrophe", "apostrophe", "&#8217;"),
		core("prime", "prime", "&#8242;"),
		core("double prime", "double prime", "&#8243;"),
		core("en dash", "en dash", "&#8211;"),
		core("em dash", "em dash", "&#8212;"),
		core("words", "Comma-separated list of words to texturize in your language", elisions),
		core("replacements", "Comma-separated list of replacement words in your language", strings.ReplaceAll(elisions, "'", "&#8217;")),
		{"decimal point", Core, "", "number_format_decimal_point", "."},
		{"thousands separator", Core, "", "number_format_thousands_sep", ","},
		core("Protected: %s", "", "Protected: %s"),
		core("Private: %s", "", "Private: %s"),
		core("[&hellip;]", "", "[&hellip;]"),
		core("&hellip;", "", "&hellip;"),
		core("excerpt length", "excerpt_length", "55"),
		core("word count type", "Word count type. Do not translate!", "words"),
		calendar("event slug", "Rewrite Singular Slug", "event"),
		calendar("events slug", "Archive Events Slug", "events"),
		calendar("venue slug", "", "venue"),
		calendar("organizer slug", "", "organizer"),
		calendar("category slug", "", "category"),
		calendar("tag slug", "", "tag"),
		calendar("Free", "", "Free"),
	}
}
