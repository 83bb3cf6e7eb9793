package changefeed

// predecessor is a hub of one member that another hub takes over. A site whose changes are recorded resumes
// at its own position in the log, where the hub that sites share is not. So it has a connection of its own
// until both have reached the same position.
type predecessor struct {
	hub    *Hub
	member *member
	// taken is called when the other hub takes over. It must be quick.
	taken func()
}

// takeOver lets changes after a mark, which the member's new hub has reached, come from that hub, if the
// member got all changes up to the mark. It reports whether it did. What the hub before has passed on of
// later changes is skipped; nothing is missed, and perhaps a few changes count twice.
func (f *follower) takeOver(at mark) bool {
	before := f.before
	h := before.hub
	h.applying.Lock()
	defer h.applying.Unlock()
	s := h.session.Load()
	if s == nil || !before.member.following.Load() {
		return false
	}
	reached := s.applier.at // the applier sets it while it holds the lock
	if reached.server != at.server || !reached.position.Contains(at.position) {
		return false
	}
	h.members.Store(&[]*member{})
	before.member.gone.Store(true)
	f.restores, f.skip, f.begun = before.member.restores, reached.position, true
	f.following.Store(true)
	f.pending.Store(false)
	before.taken()
	return true
}

// skips reports whether everything up to a position was passed on to a member by another hub.
func (f *follower) skips(at mark) bool {
	if f.skip != nil && !f.skip.Contains(at.position) {
		f.skip = nil
	}
	return f.skip != nil
}
