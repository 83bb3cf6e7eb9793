package rfc5545

import "hash/fnv"

// colors are some of CSS3's, whose names alone RFC 7986 allows. All are legible with white
// text.
var colors = [...]string{
	"royalblue", "seagreen", "firebrick", "darkorchid", "chocolate", "teal", "mediumvioletred", "olivedrab", "steelblue", "sienna", "slateblue", "crimson",
}

// ColorOf returns a color for the calendar of a name, always the same one, so that subscribers to
// several feeds of a site can tell them apart. No color of a site itself is known.
func ColorOf(name string) string {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name)) // never fails
	return colors[hash.Sum32()%uint32(len(colors))]
}
