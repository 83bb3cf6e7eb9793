package sqlconn

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	sq "github.com/Masterminds/squirrel"
)

// MaxInList bounds the ids of one IN list; see [EachBlock]. Lists of requests are far
// shorter.
const MaxInList = 10_000

// IDList returns the condition "column IN (ids)" with the numbers written out, since
// placeholders are limited in number and cost more than digits. Without ids nothing
// matches.
func IDList(column string, ids []int64) sq.Sqlizer {
	return sq.Expr(string(appendIDList(make([]byte, 0, len(column)+5+8*len(ids)), column, ids)))
}

// appendIDList appends the text of IDList.
func appendIDList(text []byte, column string, ids []int64) []byte {
	if len(ids) == 0 {
		return append(text, "1=0"...)
	}
	text = append(text, column...)
	if len(ids) == 1 {
		return strconv.AppendInt(append(text, '='), ids[0], 10)
	}
	text = append(text, " IN ("...)
	for i, id := range ids {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, id, 10)
	}
	return append(text, ')')
}

// DistinctIDs returns the positive ids, ascending and once each, so that the same ids
// make the same SQL.
func DistinctIDs(ids []int64) []int64 {
	out := slices.Clone(ids)
	slices.Sort(out)
	out = slices.Compact(out)
	first, _ := slices.BinarySearch(out, 1)
	return out[first:]
}

// EachBlock calls do with blocks of at most MaxInList distinct positive ids.
func EachBlock(ids []int64, do func([]int64) error) error {
	for block := range slices.Chunk(DistinctIDs(ids), MaxInList) {
		if err := do(block); err != nil {
			return err
		}
	}
	return nil
}

// Searchable reports whether stored text can equal or contain the text: columns hold valid
// UTF-8, and servers refuse to compare them with anything else.
func Searchable(text string) bool {
	return utf8.ValidString(text) && !strings.Contains(text, "\x00")
}

// likeEscaper protects the wildcards of LIKE. Backslash is the escape character
// of both engines here: MySQL's default, and that of our LIKE for SQLite.
var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// EscapeLike makes text match itself inside a LIKE pattern.
func EscapeLike(text string) string { return likeEscaper.Replace(text) }

// Contains returns the LIKE pattern of a substring search.
func Contains(text string) string { return "%" + EscapeLike(text) + "%" }
