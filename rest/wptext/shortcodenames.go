package wptext

// shortcodeNames are the shortcodes that a site with only The Events Calendar
// registers, in the order of registration. Any other bracketed word is text.
var shortcodeNames = [...]string{
	"wp_caption", "caption", "gallery", "playlist", "audio", "video", "embed",
	"tribe:event-details", "tec_event_qr",
}
