package changefeed

// roster holds the members of a hub during one session. While the session runs, only its reader uses the
// roster.
type roster struct {
	hub    *Hub
	source *Source
	// others are the sources for members in other databases of the server, by the name of the database.
	others map[string]*Source
	routes *routes
	// members are the members to which the routes lead.
	members *[]*member
}

func newRoster(h *Hub, src *Source) *roster {
	return &roster{hub: h, source: src, others: map[string]*Source{}, routes: newRoutes(nil)}
}

// current reports whether the routes lead to the present members.
func (r *roster) current() bool { return r.hub.members.Load() == r.members }

// adapt makes the routes those of the present members, and returns those that are new.
func (r *roster) adapt() (joined []*follower) {
	var all []*follower
	r.members = r.hub.members.Load()
	for _, m := range *r.members {
		f := r.follower(m)
		if f == nil {
			f = newFollower(m, r.sourceOf(m))
			joined = append(joined, f)
		}
		all = append(all, f)
	}
	r.routes = newRoutes(all)
	return joined
}

// follower returns a member that the routes have already, or nil.
func (r *roster) follower(m *member) *follower {
	for _, f := range r.routes.all {
		if f.member == m {
			return f
		}
	}
	return nil
}

// sourceOf returns the source for a member's database.
func (r *roster) sourceOf(m *member) *Source {
	name := m.cfg.Servers.Feed().Config().DBName
	if name == r.source.Config().DBName {
		return r.source
	}
	if r.others[name] == nil {
		r.others[name] = Open(m.cfg.Servers)
	}
	return r.others[name]
}

// close closes the sources of other databases.
func (r *roster) close() {
	for _, s := range r.others {
		s.Close()
	}
}
