// Package changes answers what has changed in a list of events since a client last asked.
// Package journal of wpstore keeps what it needs, and describes when tokens outlive a restart or a
// reload: as a rule they do, also with a new version of the program, but not with changed settings.
//
// # Wire format
//
// The routes take the filters and the language of the list of events, with their defaults,
// except page. They exist with --extensions only, and answer
//
//   - 501, code "calbridge_no_changes", where changes can't be known; "data" has the reason:
//     "state-dir" (start with --state-dir), "binary-log" (the database's binary log isn't
//     followed), "journal" (the journal can't be opened);
//   - 503 with Retry-After, code "calbridge_unavailable", while the journal isn't up to date,
//     as for a moment after a start or a reload;
//   - 503 with Retry-After, code "calbridge_state_dir", while the journal can't be written,
//     because the folder of --state-dir is full, read-only or gone. Streams that are open stay
//     open, and go on once it can be.
//
// # GET {namespace}/events/changes
//
// Without a token it begins with the list: pages of events, in order of their ids. Each page
// is one of
//
//	{"events": [ITEM, …], "page_token": "TOKEN"}   there is more: ask again at once
//	{"events": [ITEM, …], "sync_token": "TOKEN"}   the copy is complete: keep the token
//
// A page may have fewer items than per_page, also none. The next request repeats the same
// arguments and adds page_token=TOKEN or, later, sync_token=TOKEN. A sync token gives what has
// changed since, in the same form, and ends with a new one. An ITEM is
//
//	{"id": 7, …}               the whole event, as the list shows it: store it under its id
//	{"id": 7, "deleted": true} it isn't in the list any more: remove it, if it is there
//
// sync_token=now gives a token without any items, to a client that only needs what changes from now on.
//
// A client that applies all items in order until it gets a sync token has what the list had when
// that was sent, but for events that leave or enter it by time alone within a minute, and for
// what changes while the last page is made: the next sync has both. The order of items means
// nothing. The same item may come twice. An event is sent again when it, its venue, one of its
// organizers, categories or tags changes; the count of events of a category or tag, which
// events show too, is as it was when the event was sent. An event is as a list of it alone shows
// it: what runs through the texts of a list, such as the numbers of galleries, begins again with
// each. One that shows what depends on all posts, such as a gallery of what is attached to it, is
// sent again with each change of a post, whether it differs or not.
//
// Tokens are opaque, at most 1,024 characters of A–Z a–z 0–9 - and _. A token belongs to its
// arguments (per_page may differ), language and user. One that can't be used any more is
// answered with 410, code "calbridge_sync_token_gone": the client drops its copy (or marks all
// of it, and removes what isn't sent again) and begins without a token. "data" has the reason:
//
//   - "malformed", "foreign": no token of this site's journal, which starts over with other
//     settings, when its file is lost or damaged, and when its format can't be read, as after going
//     back to an older version of the program
//   - "arguments", "rights": it was given for other arguments, to another user, or for other
//     rights
//   - "expired": older than what the journal keeps, a week as a rule; "gap": changes may have been
//     missed in between
//   - "site": a change affects all events, such as one of the site's settings
//   - "filter": the arguments mean something else now, because a category or venue changed
//   - "shown": something changed that events show, and nobody knows which, such as a picture, or
//     what more than 1,000 of them show
//   - "many": so much has changed that the whole list is less work
//   - "undecided": whether the client has seen an event can't be decided
//
// # GET {namespace}/events/stream
//
// It answers with server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). The
// route ignores credentials. It begins at the position in the header Last-Event-ID, or in the
// argument sync_token, else now; both take the ids of a stream and the sync tokens of
// events/changes alike, and a client may go from one route to the other with the same
// arguments. Messages are
//
//	event: created   data: EVENT                        it is new in the list
//	event: updated   data: EVENT                        it differs
//	event: deleted   data: {"id": 7, "deleted": true}   it isn't in the list any more
//	event: reset     data: {"reason": "gap"}            the position can't be used (the reasons
//	                 are those above): fetch the list again; the stream goes on from now
//
// A client that resumes may receive messages twice: created and updated both mean store, deleted means
// remove if there. The id of a message is the position after it; messages without one belong
// to the same change as the next one that has one. Blocks with an id alone move the position,
// comments are heartbeats, every 15 seconds at least. The server closes a stream whose client
// is too slow, when it stops or reloads, or at any other time: the client connects again with
// the last id, which EventSource does by itself. Too many streams are refused with 429 (of one
// address) or 503 (of all), with Retry-After; after these, EventSource doesn't connect again
// by itself. In place of 410 a stream has reset.
//
// # Files
//
//   - changes.go: the route of changes, and what a request for them has; sync.go: pages
//   - follow.go: the route of the stream, and a list as package stream below follows it
//   - filter.go: what a list shows at one time; show.go: rendered events
//   - token.go: how far a client is, sealed; reasons.go: why it can't go on
package changes
