package tribev1

import (
	"strconv"

	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
)

// Links builds the URLs of the API itself, besides those of the site.
type Links struct {
	*wpsite.Links
	Namespace string
}

// LinksOf returns the URLs of the API that a request was sent to.
func LinksOf(r *wprest.Request, links *wpsite.Links) Links {
	return Links{Links: links, Namespace: r.Table.Namespace}
}

// Item returns the URL of one resource.
func (l Links) Item(collection string, id int64) string {
	return l.REST(l.Namespace + "/" + collection + "/" + strconv.FormatInt(id, 10))
}

// List returns the URL of a list, without any parameters of its own.
func (l Links) List(collection string) string { return l.REST(l.Namespace + "/" + collection + "/") }

// Collection returns the same URL as terms show it.
func (l Links) Collection(name string) string { return l.REST(l.Namespace + "/" + name) }

// Route returns the URL of a route whose pattern captures nothing, "" for the index.
func (l Links) Route(pattern string) string { return l.REST(l.Namespace + pattern) }

// Root returns the URL that the patterns of all routes follow.
func (l Links) Root() string { return l.RESTRoot + l.Namespace }
