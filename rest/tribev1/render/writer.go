package render

import (
	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
)

// postWriter writes posts of a set as JSON.
type postWriter struct {
	*phpjson.Writer
	set    *Set
	place  *wpsite.Place
	viewer *authz.Viewer
	clock  *api.Clock
	links  tribev1.Links
	// self are the links by which posts name themselves.
	self tribev1.Links
}

// permalink returns the address of a post.
func (w postWriter) permalink(p *wpstore.Post) string {
	return w.place.PostURL(p, w.viewer.Viewable(p))
}
