package systemtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"calbridge/compat/diff"
	"calbridge/compat/recording"
)

// rowDifference is one thing in which the changes to a table differ from the
// recorded ones.
type rowDifference struct {
	Table string
	// Kind is "inserted", "updated" or "deleted".
	Kind string
	// Where names the row and the column.
	Where         string
	Recorded, Got string
}

func (d rowDifference) String() string {
	return fmt.Sprintf("rows %s %s %s: recorded %s, got %s", d.Table, d.Kind, d.Where, d.Recorded, d.Got)
}

// diffRows compares the row changes of a case with those that a target made.
// Rows are matched by primary key, whose columns keys gives by table. Noise holds
// the case's own rules; those about rows are paths such as
// "rows.wp_postmeta.inserted[3].meta_value".
func diffRows(recorded, got map[string]recording.TableChange, keys map[string][]string, noise []string) []rowDifference {
	tables := slices.AppendSeq(slices.Collect(maps.Keys(recorded)), maps.Keys(got))
	slices.Sort(tables)
	var out []rowDifference
	for _, table := range slices.Compact(tables) {
		want, have := recorded[table], got[table]
		d := rowDiff{table: table, key: keys[table], noise: noise}
		d.compare("inserted", "", wholeRows(want.Inserted), wholeRows(have.Inserted))
		d.compare("deleted", "", wholeRows(want.Deleted), wholeRows(have.Deleted))
		d.compare("updated", "after.", want.Updated, have.Updated)
		out = append(out, d.found...)
	}
	return out
}

type rowDiff struct {
	table string
	key   []string
	noise []string // the rules of the case
	found []rowDifference
}

func (d *rowDiff) add(kind, where string, recorded, got string) {
	d.found = append(d.found, rowDifference{Table: d.table, Kind: kind, Where: where, Recorded: recorded, Got: got})
}

// wholeRows converts inserted or deleted rows to the shape of updates.
func wholeRows(rows []recording.Row) []recording.RowUpdate {
	out := make([]recording.RowUpdate, len(rows))
	for i, row := range rows {
		out[i] = recording.RowUpdate{Key: row, After: row}
	}
	return out
}

// compare pairs rows by their keys. prefix goes before columns in noise rules.
func (d *rowDiff) compare(kind, prefix string, want, have []recording.RowUpdate) {
	index := make(map[string]recording.RowUpdate, len(have))
	for _, u := range have {
		index[d.keyOf(u.Key)] = u
	}
	for i, u := range want {
		key := d.keyOf(u.Key)
		other, ok := index[key]
		delete(index, key)
		switch {
		case ok:
			d.columns(kind, i, key, prefix, u.After, other.After)
		case !d.noisy(kind, i, "") && (kind != "updated" || !tiedEvents(u)):
			d.add(kind, key, showRow(u.After), diff.Absent)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(index)) {
		d.add(kind, key, diff.Absent, showRow(index[key].After))
	}
}

// markers matches the events that the calendar's options name for their first and last date.
var markers = regexp.MustCompile(`(?:earliest|latest)_date_markers";a:1:\{i:0;i:\d+;\}`)

// tiedEvents reports whether an update only names another event for the same date. Among
// several events at one instant, such as translations, any is correct.
func tiedEvents(u recording.RowUpdate) bool {
	before, _ := u.Before["option_value"].(string)
	after, _ := u.After["option_value"].(string)
	return len(u.After) == 1 && before != after && markers.ReplaceAllString(before, "") == markers.ReplaceAllString(after, "")
}

func (d *rowDiff) columns(kind string, i int, key, prefix string, want, have recording.Row) {
	names := slices.AppendSeq(slices.Collect(maps.Keys(want)), maps.Keys(have))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		w, inWant := want[name]
		h, inHave := have[name]
		if inWant == inHave && cellText(w) == cellText(h) || d.noisy(kind, i, prefix+name) {
			continue
		}
		at := diff.CommonPrefix(cellText(w), cellText(h))
		show := func(v any, present bool) string {
			if !present {
				return diff.Absent
			}
			return diff.Around(cellText(v), at)
		}
		d.add(kind, key+" "+name, show(w, inWant), show(h, inHave))
	}
}

func (d *rowDiff) noisy(kind string, i int, column string) bool {
	path := "rows." + d.table + "." + kind + "[" + strconv.Itoa(i) + "]"
	return slices.Contains(d.noise, path) || column != "" && slices.Contains(d.noise, path+"."+column)
}

func (d *rowDiff) keyOf(row recording.Row) string {
	parts := make([]string, len(d.key))
	for i, name := range d.key {
		parts[i] = cellText(row[name])
	}
	return strings.Join(parts, "/")
}

func cellText(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return fmt.Sprint(v)
}

func showRow(row recording.Row) string {
	names := slices.Sorted(maps.Keys(row))
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = name + "=" + strconv.Quote(diff.Head(cellText(row[name]), 80))
	}
	return strings.Join(parts, " ")
}
