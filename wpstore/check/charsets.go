package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"calbridge/wpstore/sqlconn/charset"
)

// clientTexts lists the columns with text in any language. A site can't be read correctly
// without them.
var clientTexts = []string{
	"posts.post_title", "posts.post_content", "posts.post_excerpt", "postmeta.meta_value",
	"terms.name", "term_taxonomy.description", "options.option_value",
}

// foreignLetter exists only in the character sets of Unicode and those for Cyrillic.
const foreignLetter = "ж"

// charsets checks whether our connections read and write the columns as WordPress's do. columns is
// wpstore.SiteFacts.Charsets.
func (c *checker) charsets(columns map[string]string) {
	const name = "database.charset"
	connection := c.Servers.Charset()
	if connection.Name == "" {
		return
	}
	var texts, others []string // lossy ones
	found := map[string]bool{}
	for _, column := range slices.Sorted(maps.Keys(columns)) {
		holds := columns[column]
		found[holds] = true
		if connection.Fit(holds, foreignLetter) != charset.Lossy {
			continue
		}
		table, plain, _ := strings.Cut(column, ".")
		shown := c.Tables.Plain(table) + "." + plain + " (" + holds + ")"
		if slices.Contains(clientTexts, column) {
			texts = append(texts, shown)
		} else {
			others = append(others, shown)
		}
	}
	of := "utf8mb4"
	if len(found) > 0 {
		of = strings.Join(slices.Sorted(maps.Keys(found)), ", ")
	}
	const shown = 5
	list := append(texts, others...)
	if more := len(list) - shown; more > 0 {
		list = append(list[:shown], fmt.Sprintf("and %d more", more))
	}
	which := strings.Join(list, ", ")
	switch {
	case which == "":
		c.ok(name, "connections use %s, columns use %s", connection.Name, of)
	case !connection.Known && len(texts) > 0:
		c.fail(name, "Pass --wp-config, or set --define DB_CHARSET to the value of DB_CHARSET in wp-config.php: most likely latin1, which passes bytes unchanged.",
			"the character set of WordPress's connections is unknown, and not all columns are Unicode: %s", which)
	default:
		c.warn(name, "Text with characters that a column cannot store is rejected. After a backup, convert the tables to utf8mb4.",
			"connections use %s, but %s", connection.Name, which)
	}
}
