package notice

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

const (
	// MaxItems is the number of things that one notice may name. One that would name more says All
	// instead.
	MaxItems = 5000
	// MaxBody is the maximum size of a notice's JSON, in bytes.
	MaxBody = 1 << 20

	// maxName is above the longest option name that WordPress stores (191 characters).
	maxName = 1024
)

// Notice names rows that changed, without their content.
type Notice struct {
	// All reports that anything may have changed: notices were lost, or there is too much to
	// name. WordPress then flushes its object cache.
	All bool `json:"all,omitempty"`
	// Posts are ids of posts of any type whose row, meta or terms changed, or that
	// are gone.
	Posts []int64 `json:"posts,omitempty"`
	// Terms are ids of terms whose row, meta, parent or count changed, or that are
	// gone; the taxonomies of those that are gone must be named.
	Terms []int64 `json:"terms,omitempty"`
	// Taxonomies are those in which terms were added, removed, moved or counted.
	Taxonomies []string `json:"taxonomies,omitempty"`
	// Users are ids of users whose row or meta changed.
	Users []int64 `json:"users,omitempty"`
	// Options are names of options.
	Options []string `json:"options,omitempty"`
	// Saved lists what WordPress's functions would have done, in their order. The plugin runs their
	// hooks if the site's owner has enabled that.
	Saved []Saved `json:"saved,omitempty"`
	// Cron makes WordPress run its due tasks.
	Cron bool `json:"cron,omitempty"`
	// Mark is the number of a notice of the plugin; zero if it could not take one.
	Mark
}

// Empty reports whether the notice contains nothing.
func (n Notice) Empty() bool { return !n.All && !n.Cron && n.size() == 0 }

// size returns the number of names and ids in the notice.
func (n Notice) size() int {
	return len(n.Posts) + len(n.Terms) + len(n.Taxonomies) + len(n.Users) + len(n.Options) + len(n.Saved)
}

// names reports whether the loss of the notice could leave something stale.
func (n Notice) names() bool { return n.All || n.size() > len(n.Saved) }

// merge returns one notice with the contents of all. Rows are named once; the order of
// Saved is preserved.
func merge(notices []Notice) Notice {
	if len(notices) == 1 {
		return notices[0]
	}
	var all Notice
	for _, n := range notices {
		all.All = all.All || n.All
		all.Cron = all.Cron || n.Cron
		all.Posts = append(all.Posts, n.Posts...)
		all.Terms = append(all.Terms, n.Terms...)
		all.Users = append(all.Users, n.Users...)
		all.Options = append(all.Options, n.Options...)
		all.Taxonomies = append(all.Taxonomies, n.Taxonomies...)
		all.Saved = append(all.Saved, n.Saved...)
	}
	all.Posts, all.Terms, all.Users = once(all.Posts), once(all.Terms), once(all.Users)
	all.Options, all.Taxonomies = once(all.Options), once(all.Taxonomies)
	return all
}

// once removes duplicates and preserves the order.
func once[T comparable](list []T) []T {
	seen := make(map[T]bool, len(list))
	return slices.DeleteFunc(list, func(v T) bool {
		again := seen[v]
		seen[v] = true
		return again
	})
}

// Decode parses the body of a notice. It ignores unknown keys.
func Decode(body []byte) (Notice, error) {
	var n Notice
	if err := json.Unmarshal(body, &n); err != nil {
		return Notice{}, fmt.Errorf("notice: %w", err)
	}
	if err := n.check(); err != nil {
		return Notice{}, fmt.Errorf("notice: %w", err)
	}
	return n, nil
}

func (n Notice) check() error {
	if n.size() > MaxItems {
		return fmt.Errorf("it names more than %d things", MaxItems)
	}
	if n.Mark != (Mark{}) && (n.Number == 0 || !n.valid()) {
		return errMark
	}
	for _, s := range n.Saved {
		if err := s.check(); err != nil {
			return err
		}
	}
	for _, id := range slices.Concat(n.Posts, n.Terms, n.Users) {
		if id <= 0 {
			return fmt.Errorf("id %d", id)
		}
	}
	for _, name := range slices.Concat(n.Options, n.Taxonomies) {
		if name == "" || len(name) > maxName {
			return errors.New("a name that is empty or too long")
		}
	}
	return nil
}
