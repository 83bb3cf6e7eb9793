package options

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"

	"calbridge/wpstore"
	"calbridge/wpstore/fingerprint"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// rangeOptions are the options of The Events Calendar that each save of an event may
// change: the range of all events. Only its iCalendar exports read them.
var rangeOptions = [...]string{"earliest_date", "latest_date", "earliest_date_markers", "latest_date_markers"}

// Fingerprint returns equal texts for facts under which events and lists look the same. Later
// builds return the same ones; see package fingerprint.
func Fingerprint(facts *wpstore.SiteFacts) (string, error) {
	rest := *facts
	rest.Calendar, rest.Roles = nil, nil
	if facts.Calendar != nil {
		rest.Raw = maps.Clone(facts.Raw)
		delete(rest.Raw, "tribe_events_calendar_options") // Calendar holds it
	}
	text, err := fingerprint.Text(rest)
	if err != nil {
		return "", err
	}
	var calendar php.Value
	if facts.Calendar != nil {
		own := facts.Calendar.Clone()
		for _, name := range rangeOptions {
			own.Delete(php.KeyOf(name))
		}
		calendar = own
	}
	h := sha256.New()
	for _, part := range []string{text, phpserial.Serialize(calendar), phpserial.Serialize(facts.Roles)} {
		fmt.Fprintf(h, "%d %s\n", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:12]), nil
}
