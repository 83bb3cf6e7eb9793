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
func (s *save) setName(ctx context.Context) error {
	trashed := s.post.stored != nil && s.post.stored.Status == "trash"
	switch {
	case trashed && s.post.Status != "trash":
		if desired, _ := s.post.Meta.First(desiredSlug); desired != "" {
			s.post.Meta.Delete(desiredSlug)
			s.post.Name = desired
		}
	case s.post.stored != nil && !trashed && s.post.Status == "trash":
		if !strings.HasSuffix(s.post.Name, trashedSuffix) {
			s.post.Meta.Add(desiredSlug, s.post.Name)
			s.post.Name = rowedit.CutSlug(s.post.Name, rowedit.SlugSize-len(trashedSuffix)) + trashedSuffix
		}
	}
	if s.post.stored == nil || s.post.Name != s.post.stored.Name {
		s.post.Name = s.posts.rules.Slug(s.post.Name)
	}
	if s.post.Name == "" && !isDraft(s.post.Status) {
		s.post.Name = s.posts.rules.Slug(s.post.Title)
	}
	if s.post.Status == "pending" && !s.posts.rules.MayPublish(s.post.Type) {
		s.post.Name = ""
	}
	if isDraft(s.post.Status) || s.post.Name == "" {
		return nil
	}
	var err error
	s.post.Name, err = s.posts.slugs.unique(ctx, s.post.Name, s.storedName(), s.post.ID, s.post.Type)
	return err
}

// storedName returns the slug in the table, "" for a new post.
func (s *save) storedName() string {
	if s.post.stored == nil {
		return ""
	}
	return s.post.stored.Name
}
