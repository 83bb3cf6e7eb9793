package rest

import (
	"context"
	"time"

	"calbridge/i18n"
	"calbridge/rest/wpcap"
	"calbridge/rest/wptext"
	"calbridge/wpstore"
	"calbridge/wpstore/sitedb"
)

// call is one request on its way through the server.
type call struct {
	ctx context.Context
	srv *Server
	// store is what this request reads through.
	store *sitedb.Session
	// current: rows in memory are as current as the request needs them.
	current bool
	site    *site
	links   *links
	text    *wptext.Site
	wording *wording
	lang    i18n.Choice
	// foreign: the links of the answer are to another root than the request's, and
	// WordPress does not recognise them as its own.
	foreign bool
	// globalID is what a global id starts with.
	globalID string
	// bareHome: only the parameter lang chose the root, so that ids of new posts
	// show no language.
	bareHome bool
	// answer is what the answer to a write shows differently from the rows.
	answer *writeAnswer
	req    *request
	route  *route
	ep     *endpoint
	now    time.Time
	// timely: the answer depends on now.
	timely bool
	user   *wpcap.User
	// login is how the user was found; freshNonce is sent back when one was accepted.
	login      scheme
	freshNonce string
	// credentials were sent, good or bad.
	credentials bool
	// cookieUser: a valid login cookie was sent, with a nonce good or bad.
	cookieUser bool
	// unlocked: the request wrote the post that it shows, whose password then does
	// not matter.
	unlocked bool
	// postPassCookie unlocks password-protected posts in lists.
	postPassCookie string
	// cookieMatters: a password decided about the answer, so that the cookie could have.
	cookieMatters bool
	// judgedPost is the post with judgedID whose rights were last asked for.
	judgedID   int64
	judgedPost *wpcap.Post
	// slugFound is the post that slugAsked led to.
	slugAsked slugLookup
	slugFound int64
	// termLookups are the look-ups of terms so far, termTrees the taxonomies read.
	termLookups []termLookup
	termTrees   map[string]map[int64]wpstore.Term
	// postGroups are the translations of postsAsked.
	postsAsked []int64
	postGroups map[int64]i18n.Group
	reply      reply
	// modified is the latest change of a post that was loaded for the answer, as stored
	// in UTC; "" where there is none.
	modified string
	// writers hold the parts of the answer; see recycle.
	writers []*writer
	// rendering remembers what was met in the texts of the answer.
	rendering []*wptext.RequestState
	// pictures are those that the request names by URL.
	pictures []*linkedPicture
}
