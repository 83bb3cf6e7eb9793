package wpcap

// Check says whether the user has the capability cap when no object is named.
// Most names stand for themselves. Those of tags and categories stand for the
// primitives that they map to, unfiltered_html depends on the site, and a question
// about one object is refused without the object.
func Check(u *User, cap string, s Site) bool {
	switch cap {
	case "unfiltered_html":
		return UnfilteredHTML(u, s)
	case "manage_post_tags", "edit_post_tags", "delete_post_tags",
		"edit_categories", "delete_categories":
		return u.Can("manage_categories")
	case "assign_post_tags", "assign_categories":
		return u.Can("edit_posts")
	case "edit_term", "delete_term", "assign_term":
		return false
	}
	if _, ok := s.question(cap); ok {
		return false
	}
	return u.Can(cap)
}

// CheckPost says whether the user has the capability cap for the post. The
// generic names ("edit_post") and those of the types ("edit_tribe_event") are
// synonyms: the rules follow from the post's own type. Any other name is judged
// as by [Check].
func CheckPost(u *User, cap string, p *Post, s Site) bool {
	q, ok := s.question(cap)
	if !ok {
		return Check(u, cap, s)
	}
	switch q {
	case askEdit:
		return EditPost(u, p, s)
	case askDelete:
		return DeletePost(u, p, s)
	case askRead:
		return ReadPost(u, p, s)
	default:
		return PublishPost(u, p, s)
	}
}

// UnfilteredHTML says whether what the user writes is stored as it is. The markup
// of everybody else is filtered.
func UnfilteredHTML(u *User, s Site) bool {
	if s.DisallowUnfilteredHTML || s.Multisite && !s.IsSuperAdmin(u) {
		return false
	}
	return u.Can("unfiltered_html")
}

// EditUser says whether the user may change the account with the id. Everybody
// may change their own.
func EditUser(u *User, id int64) bool {
	return u.LoggedIn() && u.ID == id || u.Can("edit_users")
}

// question is what a capability about one post asks.
type question int

const (
	askEdit question = iota
	askDelete
	askRead
	askPublish
)

var builtInQuestions = questionTable()

func questionTable() map[string]question {
	table := map[string]question{"publish_post": askPublish}
	for _, t := range builtInTypes {
		table[t.Caps.EditOne] = askEdit
		table[t.Caps.DeleteOne] = askDelete
		table[t.Caps.ReadOne] = askRead
	}
	return table
}

func (s Site) question(cap string) (q question, ok bool) {
	if q, ok := builtInQuestions[cap]; ok {
		return q, true
	}
	for _, t := range s.PostTypes {
		switch cap {
		case t.Caps.EditOne:
			return askEdit, true
		case t.Caps.DeleteOne:
			return askDelete, true
		case t.Caps.ReadOne:
			return askRead, true
		}
	}
	return 0, false
}
