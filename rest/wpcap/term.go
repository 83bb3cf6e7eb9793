package wpcap

import "slices"

// Taxonomy names the primitive capabilities of a taxonomy.
type Taxonomy struct {
	Name                         string
	Manage, Edit, Delete, Assign string
}

var taxonomies = []Taxonomy{
	{
		Name:   "tribe_events_cat",
		Manage: "publish_tribe_events", Edit: "publish_tribe_events", Delete: "publish_tribe_events",
		Assign: "edit_tribe_events",
	},
	{
		Name:   "post_tag",
		Manage: "manage_categories", Edit: "manage_categories", Delete: "manage_categories",
		Assign: "edit_posts",
	},
	{
		Name:   "category",
		Manage: "manage_categories", Edit: "manage_categories", Delete: "manage_categories",
		Assign: "edit_posts",
	},
}

// LookupTaxonomy returns the taxonomy with the name; ok is false for an unknown
// one.
func LookupTaxonomy(name string) (t Taxonomy, ok bool) {
	for _, t := range taxonomies {
		if t.Name == name {
			return t, true
		}
	}
	return Taxonomy{}, false
}

// Term names a term. A nil Term, or one of an unknown taxonomy, does not exist,
// and nobody may do anything about it.
type Term struct {
	ID       int64
	Taxonomy string
}

// ManageTerms says whether the user may make terms of the taxonomy.
func ManageTerms(u *User, taxonomy string) bool {
	t, ok := LookupTaxonomy(taxonomy)
	return ok && u.Can(t.Manage)
}

// AssignTerms says whether the user may give terms of the taxonomy to a post that
// they may edit.
func AssignTerms(u *User, taxonomy string) bool {
	t, ok := LookupTaxonomy(taxonomy)
	return ok && u.Can(t.Assign)
}

// EditTerm says whether the user may change the term.
func EditTerm(u *User, term *Term) bool {
	t, ok := term.lookup()
	return ok && u.Can(t.Edit)
}

// DeleteTerm says whether the user may delete the term. Nobody may delete a
// default term of the taxonomy.
func DeleteTerm(u *User, term *Term, s Site) bool {
	t, ok := term.lookup()
	return ok && !slices.Contains(s.DefaultTerms[term.Taxonomy], term.ID) && u.Can(t.Delete)
}

// AssignTerm says whether the user may give the term to a post.
func AssignTerm(u *User, term *Term) bool {
	t, ok := term.lookup()
	return ok && u.Can(t.Assign)
}

func (t *Term) lookup() (Taxonomy, bool) {
	if t == nil {
		return Taxonomy{}, false
	}
	return LookupTaxonomy(t.Taxonomy)
}
