package sitedb

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	sq "github.com/Masterminds/squirrel"
)

// maxInList bounds the ids of one IN list. Lists of a request are far shorter;
// a caller with more gets one query per block.
const maxInList = 10_000

// idList is the condition "column IN (ids)" with the numbers written out, since
// placeholders are limited in number and cost more than digits. No ids match
// nothing.
func idList(column string, ids []int64) sq.Sqlizer {
	return sq.Expr(string(appendIDList(make([]byte, 0, len(column)+5+8*len(ids)), column, ids)))
}

// appendIDList appends the text of idList.
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

// distinctIDs returns the positive ids, ascending and once each: a stable list
// makes the same SQL for the same question.
func distinctIDs(ids []int64) []int64 {
	out := slices.Clone(ids)
	slices.Sort(out)
	out = slices.Compact(out)
	first, _ := slices.BinarySearch(out, 1)
	return out[first:]
}

// eachBlock calls do with blocks of at most maxInList distinct positive ids.
func eachBlock(ids []int64, do func([]int64) error) error {
	for block := range slices.Chunk(distinctIDs(ids), maxInList) {
		if err := do(block); err != nil {
			return err
		}
	}
	return nil
}

// searchable says whether stored text can equal or contain the text at all:
// columns hold valid UTF-8, and servers refuse to compare them with anything
// else.
func searchable(text string) bool {
	return utf8.ValidString(text) && !strings.Contains(text, "\x00")
}
