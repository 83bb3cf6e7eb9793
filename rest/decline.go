package rest

import (
	"net/http"

	"calbridge/rest/api"
)

// declines says that somebody else answers. Only what merely reads can be asked
// for once more.
func (s *Server) declines(r *http.Request, status int, notRendered []string) bool {
	return len(notRendered) > 0 && s.cfg.Decline != nil && status == http.StatusOK && api.PlainGET(r) && s.cfg.Decline(r, notRendered)
}
