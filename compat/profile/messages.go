package profile

import (
	"slices"
	"strings"

	"calbridge/compat/wprest"
)

// Way names how a recording gets a message of the reference.
type Way int

const (
	// Visitor messages are answers to requests without a login.
	Visitor Way = iota
	// Hidden messages are answers to such requests too, about posts that lists don't show.
	// A login finds those posts.
	Hidden
	// Login messages are answers to requests with a login that the site refuses.
	Login
	// Unreachable messages need a change to the site, or harm it. A profile lacks them.
	Unreachable
)

// Message is a message of the reference.
type Message struct {
	// Key is its key in Wording.Errors.
	Key string
	Way Way
	// Needs names what the site must have, "" for nothing. For an unreachable message it
	// is the reason.
	Needs string
}

// messageTable lists the messages of the reference. The keys of a row are separated by
// spaces.
var messageTable = []struct {
	keys  string
	way   Way
	needs string
}{
	{"rest_no_route rest_invalid_namespace rest_forbidden rest_invalid_json rest_missing_callback_param rest_invalid_param invalid_param rest_invalid_type", Visitor, ""},
	{"rest_callback_invalid rest_cookie_invalid_nonce wp_die invalid_username invalid_email", Visitor, ""},
	{"rest-event-not-found event-archive-page-not-found venue-archive-page-not-found organizer-archive-page-not-found", Visitor, ""},
	{"rest-invalid-event-id", Visitor, "a venue, or another post that is not an event"},
	{"rest_path_invalid_type", Visitor, "WordPress 6.8 or later"},
	{"rest_not_in_enum", Visitor, "an argument with several allowed values, as under WPML"},
	{"rest_not_in_enum.one", Visitor, "an argument with one allowed value"},
	{"event-tickets-not-active", Visitor, "a calendar without Event Tickets"},
	{"event-no-longer-available", Hidden, "an event in the trash"},
	{"event-not-accessible", Hidden, "a draft or private event"},
	{"venue-not-accessible", Hidden, "a draft or private venue"},
	{"organizer-not-accessible", Hidden, "a draft or private organizer"},
	{"event-password-protected", Hidden, "an event with a password"},
	{"incorrect_password could-not-create-venue empty_content", Login, ""},
	{"could-not-create-organizer", Login, "an organizer"},
	{"empty_term_name invalid_term_name db_insert_error db_insert_error.data rest_taxonomy_not_hierarchical", Login, ""},
	{"event-is-in-trash", Login, "an event in the trash"},
	{"venue-is-in-trash", Login, "a venue in the trash"},
	{"organizer-is-in-trash", Login, "an organizer in the trash"},
	{"term_exists", Login, "a tag, and no Polylang, which could make another one"},
	{"duplicate_term_slug", Login, "two tags or two categories"},
	{"application_passwords_disabled application_passwords_disabled_for_user", Unreachable, "only a site without application passwords sends it"},
	{"event-not-found", Unreachable, "the request deletes an event for good"},
	{"could-not-create-event could-not-update-event could-not-update-venue could-not-update-organizer", Unreachable, "the write would have to fail"},
	{"could-not-delete-event could-not-delete-venue could-not-delete-organizer invalid-linked-post-id", Unreachable, "the write would have to fail"},
	{"internal_server_error rest_encode_error rest_invalid_handler", Unreachable, "PHP would have to fail, and WordPress sends the administrator an e-mail"},
	{"rest_invalid_params rest_callback_disabled event-tickets-api-not-active", Unreachable, "no site with the calendar alone sends it"},
}

// Messages returns the messages of the reference.
func Messages() []Message {
	var all []Message
	for _, row := range messageTable {
		for key := range strings.FieldsSeq(row.keys) {
			all = append(all, Message{Key: key, Way: row.way, Needs: row.needs})
		}
	}
	return all
}

// Missing returns the messages that the profile lacks in its default wording, without
// unreachable ones.
func (p *Profile) Missing() []Message {
	var have map[string]string
	if own := p.Languages[wprest.DefaultLanguage]; own != nil {
		have = own.Errors
	}
	return slices.DeleteFunc(Messages(), func(m Message) bool { return m.Way == Unreachable || have[m.Key] != "" })
}

// NeedLogin returns the number of messages that a login may get.
func NeedLogin(missing []Message) (n int) {
	for _, m := range missing {
		if m.Way == Hidden || m.Way == Login {
			n++
		}
	}
	return n
}

// DescribeMissing returns lines that name missing messages and what gets them. user
// reports that they were recorded with a login.
func DescribeMissing(missing []Message, user bool) (lines []string) {
	for _, group := range []struct {
		way        Way
		with, none string
	}{
		{Visitor, "the site has not sent", "the site has not sent"},
		{Hidden, "found nothing that gets", "found nothing that gets; --user NAME also searches what only editors see"},
		{Login, "the site has not sent, though the login may lack rights", "need a login: pass --user NAME, an editor. All its requests read or are refused"},
	} {
		var names []string
		for _, m := range missing {
			if m.Way != group.way {
				continue
			}
			name := m.Key
			if m.Needs != "" {
				name += " (needs " + m.Needs + ")"
			}
			names = append(names, name)
		}
		reason := group.none
		if user {
			reason = group.with
		}
		if len(names) > 0 {
			lines = append(lines, reason+": "+strings.Join(names, ", "))
		}
	}
	return lines
}
