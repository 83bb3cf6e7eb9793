package render

import (
	"calbridge/rest/access"
	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
)

// postWriter writes posts of a set as JSON.
type postWriter struct {
	*phpjson.Writer
	set    *Set
	place  *wpsite.Place
	viewer *access.Viewer
	clock  *api.Clock
	// self are the links by which posts name themselves in the API.
	self *wpsite.Links
}

// permalink returns the address of a post.
func (w postWriter) permalink(p *wpstore.Post) string {
	return w.place.PostURL(p, w.viewer.Viewable(p))
}
