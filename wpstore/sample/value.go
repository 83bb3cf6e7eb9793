package sample

import (
	"time"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// The post types of the calendar.
const (
	eventType     = "tribe_events"
	venueType     = "tribe_venue"
	organizerType = "tribe_organizer"
)

const (
	categories = "tribe_events_cat"
	tags       = "post_tag"
	// priorities is WPML's taxonomy of how urgent the translation of a post is.
	priorities = "translation_priority"
)

// before is a moment some days before now, for when things were written.
func before(now time.Time, days int) time.Time { return now.AddDate(0, 0, -days) }

// pairs makes an array of alternating keys and values.
func pairs(keysAndValues ...php.Value) *php.Array {
	out := &php.Array{}
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		out.SetString(php.ToString(keysAndValues[i]), keysAndValues[i+1])
	}
	return out
}

func serialized(v php.Value) string { return phpserial.Serialize(v) }
