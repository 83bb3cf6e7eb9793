package rowedit

import (
	"fmt"

	"calbridge/wpstore"
)

// Function is a function of WordPress that saves or deletes a post or a term, and runs hooks.
type Function string

// The functions whose effects writes have.
const (
	InsertPost  Function = "wp_insert_post" // also of an attachment
	UpdatePost  Function = "wp_update_post"
	PublishPost Function = "wp_publish_post"
	TrashPost   Function = "wp_trash_post"
	DeletePost  Function = "wp_delete_post" // for good, past the trash
	InsertTerm  Function = "wp_insert_term"
	UpdateTerm  Function = "wp_update_term"
	DeleteTerm  Function = "wp_delete_term"
)

// Save is what one function of WordPress would have done, for the plugins that listen to its
// hooks.
type Save struct {
	Function Function
	ID       int64 // of the post or the term
	// OldStatus and Status are those of a post before and after; "new" before it existed.
	OldStatus, Status string
	// Before has the columns of a post that the save has changed, or all fields of a deleted post
	// or term, by WordPress's names and with their values before.
	Before map[string]string
	// Terms are those that the post was given, in the order of the calls.
	Terms []SetTerms
	// Revision is the id of the new revision of the post, 0 without one.
	Revision int64
	// Taxonomy and TaxonomyID (term_taxonomy_id) are those of a term.
	Taxonomy   string
	TaxonomyID int64
	// Objects are the ids of the posts that a deleted term had.
	Objects []int64
}

// SetTerms are the terms of a post in a taxonomy, by their term_taxonomy ids, before and after
// they were set.
type SetTerms struct {
	Taxonomy string
	Old, New []int64
}

// ChangedColumns returns the columns of a post that differ, by name, with their values in
// before.
func ChangedColumns(before, after *wpstore.Post) map[string]string {
	old, now := PostFields(before), PostFields(after)
	for name, value := range now {
		if old[name] == value {
			delete(old, name)
		}
	}
	return old
}

// TermFields returns the fields of a term by WordPress's names.
func TermFields(t wpstore.Term) map[string]string {
	return texts(Columns("name", t.Name, "slug", t.Slug, "description", t.Description, "parent", t.Parent, "count", t.Count))
}

// PostFields returns the columns of a post by name.
func PostFields(p *wpstore.Post) map[string]string { return texts(PostColumns(p)) }

func texts(columns []Column) map[string]string {
	out := make(map[string]string, len(columns))
	for _, c := range columns {
		out[c.Name] = fmt.Sprint(c.Value)
	}
	return out
}
