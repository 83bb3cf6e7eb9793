package rest

import (
	"maps"
	"net/http"
	"slices"

	"calbridge/rest/api"
)

// notRendered lists what was met in the answer's texts that the site's own plugins
// would have rendered otherwise.
func (c *call) notRendered() (names []string) {
	for _, state := range c.rendering {
		names = slices.AppendSeq(names, maps.Keys(state.Unknown()))
	}
	return names
}

// declines says that somebody else answers. Only what merely reads can be asked
// for once more.
func (s *Server) declines(r *http.Request, status int, notRendered []string) bool {
	return len(notRendered) > 0 && s.cfg.Decline != nil && status == http.StatusOK && api.PlainGET(r) && s.cfg.Decline(r, notRendered)
}
