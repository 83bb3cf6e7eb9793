package shortcode

import "strings"

// Names are the shortcodes that a site with only The Events Calendar
// registers, in the order of registration. Any other bracketed word is text.
var Names = [...]string{
	"wp_caption", "caption", "gallery", "playlist", "audio", "video", "embed",
	"tribe:event-details", "tec_event_qr",
}

// Set has bit i set for Names[i].
type Set uint

// Occurring returns the registered shortcodes whose opening or closing tag
// occurs in s.
func Occurring(s string) Set { return tagsIn(s, true) }

// opening returns the registered shortcodes whose opening tag occurs in s.
func opening(s string) Set { return tagsIn(s, false) }

func tagsIn(s string, closing bool) (set Set) {
	for pos := 0; ; {
		i := strings.IndexByte(s[pos:], '[')
		if i < 0 {
			return set
		}
		start := pos + i + 1
		if closing && start < len(s) && s[start] == '/' {
			start++
		}
		pos = start
		for pos < len(s) && s[pos] > ' ' && strings.IndexByte("<>&/[]=", s[pos]) < 0 {
			pos++
		}
		for n, name := range Names {
			if s[start:pos] == name {
				set |= 1 << n
			}
		}
	}
}

// SetOf returns the set of the given shortcodes.
func SetOf(names ...string) (set Set) {
	for n, known := range Names {
		for _, name := range names {
			if name == known {
				set |= 1 << n
			}
		}
	}
	return set
}

const All = Set(1<<len(Names) - 1)
