package wptext

import "strings"

// shortcodeNames are the shortcodes that a site with only The Events Calendar
// registers, in the order of registration. Any other bracketed word is text.
var shortcodeNames = [...]string{
	"wp_caption", "caption", "gallery", "playlist", "audio", "video", "embed",
	"tribe:event-details", "tec_event_qr",
}

// shortcodeSet has bit i set for shortcodeNames[i].
type shortcodeSet uint

// shortcodesIn returns the registered shortcodes whose opening or closing tag
// occurs in s.
func shortcodesIn(s string) (set shortcodeSet) {
	for pos := 0; ; {
		i := strings.IndexByte(s[pos:], '[')
		if i < 0 {
			return set
		}
		start := pos + i + 1
		if start < len(s) && s[start] == '/' {
			start++
		}
		pos = start
		for pos < len(s) && s[pos] > ' ' && strings.IndexByte("<>&/[]=", s[pos]) < 0 {
			pos++
		}
		for n, name := range shortcodeNames {
			if s[start:pos] == name {
				set |= 1 << n
			}
		}
	}
}

// openShortcodes returns the registered shortcodes whose opening tag occurs in s.
func openShortcodes(s string) (set shortcodeSet) {
	for pos := 0; ; {
		i := strings.IndexByte(s[pos:], '[')
		if i < 0 {
			return set
		}
		start := pos + i + 1
		pos = start
		for pos < len(s) && s[pos] > ' ' && strings.IndexByte("<>&/[]=", s[pos]) < 0 {
			pos++
		}
		for n, name := range shortcodeNames {
			if s[start:pos] == name {
				set |= 1 << n
			}
		}
	}
}

// setOf returns the set of the given shortcodes.
func setOf(names ...string) (set shortcodeSet) {
	for n, known := range shortcodeNames {
		for _, name := range names {
			if name == known {
				set |= 1 << n
			}
		}
	}
	return set
}

const allShortcodes = shortcodeSet(1<<len(shortcodeNames) - 1)
