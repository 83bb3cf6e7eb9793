package rfc5545

import "hash/fnv"

// colors are some of CSS3's, whose names alone RFC 7986 allows. All are legible with white
// text.
var colors = [...]string{
	"royalblue", "seagreen", "firebrick", "darkorchid", "chocolate", "teal", "mediumvioletred", "olivedrab", "steelblue", "sienna", "slateblue", "crimson",
}

// ColorOf returns a color for the calendar of a name, always the same one: who subscribes to
// some feeds of a site can tell them apart. Sites have no color of their own that is known.
func ColorOf(name string) string {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name)) // never fails
	return colors[hash.Sum32()%uint32(len(colors))]
}
