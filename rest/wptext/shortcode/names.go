package shortcode

import (
	"slices"

	"calbridge/rest/wptext/markup"
)

// Names are the shortcodes that WordPress and The Events Calendar register, in this
// order. Any other bracketed word is text.
var Names = [...]string{
	"wp_caption", "caption", "gallery", "playlist", "audio", "video", "embed",
	"tribe:event-details", "tec_event_qr",
}

// Set has bit i set for Names[i].
type Set uint

// Occurring returns the registered shortcodes whose opening tag occurs in s; with
// closing, those too whose closing tag does.
func Occurring(s string, closing bool) (set Set) {
	p := markup.Patch{Src: s}
	for i := range p.Each("[") {
		start := i + 1
		if closing && start < len(s) && s[start] == '/' {
			start++
		}
		set |= SetOf(openingName(s[start:]))
	}
	return set
}

// SetOf returns the set of the given shortcodes.
func SetOf(names ...string) (set Set) {
	for _, name := range names {
		if n := slices.Index(Names[:], name); n >= 0 {
			set |= 1 << n
		}
	}
	return set
}

const All = Set(1<<len(Names) - 1)
