package notice

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
)

const (
	// maxSaved and maxSavedBytes bound the saves of one notice: listeners run while its sender
	// waits.
	maxSaved      = 50
	maxSavedBytes = MaxBody / 4

	// maxBefore is the longest value of Saved.Before in bytes; longer ones are left out.
	maxBefore = 32 << 10
	// maxObjects is the maximum of Saved.Objects; further ones are left out.
	maxObjects = 1000
)

// Saved describes what one function of WordPress would have done to a post or a term. The plugin
// runs the hooks that the function would have run.
type Saved struct {
	// Function is wp_insert_post, wp_update_post, wp_publish_post, wp_trash_post, wp_delete_post,
	// wp_insert_term, wp_update_term or wp_delete_term.
	Function string `json:"function"`
	// ID is that of the post, or of the term.
	ID int64 `json:"id"`
	// User is the account that has saved, 0 for none.
	User int64 `json:"user"`
	// OldStatus and Status are those of a post before and after; "new" before it existed.
	OldStatus string `json:"old_status,omitempty"`
	Status    string `json:"status,omitempty"`
	// Before has the columns of a post that have changed, or all of a deleted post or term, with
	// their values before. Values of more than 32 KiB are left out.
	Before map[string]string `json:"before,omitempty"`
	// Terms are those that the post was given.
	Terms []SetTerms `json:"terms,omitempty"`
	// Revision is the id of the new revision of the post, 0 without one.
	Revision int64 `json:"revision,omitempty"`
	// Taxonomy and TaxonomyID (term_taxonomy_id) are those of a term.
	Taxonomy   string `json:"taxonomy,omitempty"`
	TaxonomyID int64  `json:"taxonomy_id,omitempty"`
	// Objects are the ids of up to 1000 posts that a deleted term had.
	Objects []int64 `json:"objects,omitempty"`
	// Token is random. The plugin runs the hooks of a token only once, however often it receives
	// it, unless it was interrupted.
	Token string `json:"token"`
}

// SetTerms are the terms of a post in a taxonomy, by their term_taxonomy ids, before and after
// they were set.
type SetTerms struct {
	Taxonomy string  `json:"taxonomy"`
	Old      []int64 `json:"old"`
	New      []int64 `json:"new"`
}

// check refuses a save that names nothing.
func (s *Saved) check() error {
	if s.ID <= 0 {
		return fmt.Errorf("saved id %d", s.ID)
	}
	return nil
}

// prepare removes values that are too long, and gives a save its token.
func (s *Saved) prepare() {
	if s.Token == "" {
		var random [nonceBytes]byte
		_, _ = rand.Read(random[:]) // never fails
		s.Token = hex.EncodeToString(random[:])
	}
	s.Before = maps.Clone(s.Before)
	maps.DeleteFunc(s.Before, func(_, value string) bool { return len(value) > maxBefore })
	s.Objects = s.Objects[:min(len(s.Objects), maxObjects)]
}

// bytes returns the length of a save as JSON.
func (s *Saved) bytes() int {
	text, err := json.Marshal(s)
	if err != nil {
		return 0
	}
	return len(text)
}

// split returns a notice as several, so that none has more saves than fit. The first one names
// all that has changed.
func (n Notice) split() []queued {
	all := n.Saved
	n.Saved = nil
	out := []queued{{Notice: n}}
	for _, s := range all {
		s.prepare()
		size := s.bytes()
		last := &out[len(out)-1]
		if len(last.Saved) >= maxSaved || len(last.Saved) > 0 && last.savedBytes+size > maxSavedBytes {
			out = append(out, queued{})
			last = &out[len(out)-1]
		}
		last.Saved = append(last.Saved, s)
		last.savedBytes += size
	}
	return out
}
