package changes

import (
	"errors"

	"calbridge/rest/api"
	"calbridge/wpstore/journal"
)

// The reasons why a token can't be used, beside those of the journal; doc.go explains what they
// mean.
const (
	reasonMalformed = "malformed"
	reasonForeign   = "foreign"
	reasonArguments = "arguments"
	reasonRights    = "rights"
	reasonFilter    = "filter"
	reasonShown     = "shown"
	reasonUndecided = "undecided"
)

// Reasons returns all reasons why a token can't be used, as metrics show them.
func Reasons() []string {
	return []string{
		reasonMalformed, reasonForeign, reasonArguments, reasonRights, journal.ReasonExpired, journal.ReasonGap, journal.ReasonSite,
		reasonFilter, reasonShown, journal.ReasonMany, reasonUndecided,
	}
}

// gone is the error for a token that can't be used.
type gone string

func (g gone) Error() string { return "the token cannot be used: " + string(g) }

// unusable returns the reason why a token can't be used, if an error says so.
func unusable(err error) (reason string, ok bool) {
	var u journal.Unusable
	var g gone
	switch {
	case errors.As(err, &u):
		return string(u), true
	case errors.As(err, &g):
		return string(g), true
	}
	return "", false
}

// retryStateDir is when a client may ask again that the state folder had no room for, in seconds:
// only a person can make room.
const retryStateDir = 30

// public turns an error into the answer that clients see.
func public(err error) error {
	if reason, ok := unusable(err); ok {
		e := api.Fail("calbridge_sync_token_gone")
		e.Data = api.Object("reason", reason)
		return e
	}
	switch {
	case errors.Is(err, journal.ErrClosed):
		return lacking(journal.LacksJournal)
	case errors.Is(err, journal.ErrStateDir):
		e := api.Fail("calbridge_state_dir").Because(err)
		e.RetryAfter = retryStateDir
		return e
	case errors.Is(err, journal.ErrNotReady):
		e := api.Fail("calbridge_unavailable").Because(err)
		e.RetryAfter = 1
		return e
	}
	return err
}

// lacking returns the error for a site that lacks something. Its cause, which only the log
// shows, names the settings that are needed.
func lacking(what string) error {
	todo := map[string]string{
		journal.LacksStateDir:  "--state-dir",
		journal.LacksBinaryLog: "--cache auto, binlog_format=ROW",
		journal.LacksJournal:   "--state-dir, calbridge check",
	}[what]
	e := api.Fail("calbridge_no_changes").Because(errors.New("change tracking needs " + todo))
	e.Data = api.Object("reason", what)
	return e
}
