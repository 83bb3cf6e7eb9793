package edit

import (
	"context"
	"strings"

	"calbridge/wpstore/rowedit"
)

const (
	// trashedSuffix frees the slug of a post in the trash.
	trashedSuffix = "__trashed"
	// desiredSlug remembers the slug that a post had before it was trashed.
	desiredSlug = "_wp_desired_post_slug"
)

// setName sets the post's slug. A post that leaves the trash gets its former slug back,
// and one that enters it gets a suffix. Others get the requested slug or that of the
// title, made unique. Those of drafts need not be unique.
func (e *PostEdit) setName(ctx context.Context) error {
	trashed := e.stored != nil && e.stored.Status == "trash"
	switch {
	case trashed && e.Status != "trash":
		if desired, _ := e.Meta.First(desiredSlug); desired != "" {
			e.Meta.Delete(desiredSlug)
			e.Name = desired
		}
	case e.stored != nil && !trashed && e.Status == "trash":
		if !strings.HasSuffix(e.Name, trashedSuffix) {
			e.Meta.Add(desiredSlug, e.Name)
			e.Name = rowedit.CutSlug(e.Name, rowedit.SlugSize-len(trashedSuffix)) + trashedSuffix
		}
	}
	if e.stored == nil || e.Name != e.stored.Name {
		e.Name = e.posts.rules.Slug(e.Name)
	}
	if e.Name == "" && !isDraft(e.Status) {
		e.Name = e.posts.rules.Slug(e.Title)
	}
	if e.Status == "pending" && !e.posts.rules.MayPublish(e.Type) {
		e.Name = ""
	}
	if isDraft(e.Status) || e.Name == "" {
		return nil
	}
	var err error
	e.Name, err = e.posts.slugs.unique(ctx, e.Name, e.storedName(), e.ID, e.Type)
	return err
}

// storedName returns the slug in the table, "" for a new post.
func (e *PostEdit) storedName() string {
	if e.stored == nil {
		return ""
	}
	return e.stored.Name
}
