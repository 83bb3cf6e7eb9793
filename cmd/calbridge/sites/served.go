package sites

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"calbridge/cmd/calbridge/diffmode"
	"calbridge/cmd/calbridge/figures"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/cmd/calbridge/webhook"
	"calbridge/rest/notice"
	"calbridge/rest/proof"
)

// Set implements daemon.Served.

// Renew applies settings that were reread. Sites whose settings are the same go on as they were.
func (s *Set) Renew(ctx context.Context, next *settings.Settings) error {
	if err := valid(next); err != nil {
		return err
	}
	if err := s.Source.Renew(ctx, next); err != nil {
		return err
	}
	s.loaded.Store(int64(next.Sites.Loaded))
	return nil
}

// Changed returns nil: each site watches its own facts.
func (s *Set) Changed() <-chan struct{} { return nil }

// Ask returns the reason why the main site can't answer requests.
func (s *Set) Ask(ctx context.Context) error {
	e, live, err := s.main(ctx)
	if err != nil {
		return err
	}
	defer e.leave()
	return live.Ask(ctx)
}

// Parts returns the parts of the main site, without any while it can't be opened.
func (s *Set) Parts() (p site.Parts) {
	s.withMain(func(live *site.Live) { p = live.Parts() })
	return p
}

// Database returns the engine and the version of the main site's database.
func (s *Set) Database() (engine, version string) {
	s.withMain(func(live *site.Live) { engine, version = live.Database() })
	return engine, version
}

// withMain calls do with the main site, if it can be opened.
func (s *Set) withMain(do func(*site.Live)) {
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	e, live, err := s.main(ctx)
	if err != nil {
		return
	}
	defer e.leave()
	do(live)
}

// each calls do with every site that is in memory.
func (s *Set) each(do func(*site.Live)) {
	for _, e := range s.all() {
		if live, ok := e.hold(); ok {
			do(live)
			e.release()
		}
	}
}

// Cached returns the size and the maximum size of the caches of all sites in memory.
func (s *Set) Cached() (bytes, mayCache uint64) {
	s.each(func(live *site.Live) {
		has, may := live.Cached()
		bytes, mayCache = bytes+has, mayCache+may
	})
	return bytes, mayCache
}

// Sites returns the sites that were asked for since the start, and what they have done.
func (s *Set) Sites() []figures.Site {
	all := []figures.Site{}
	for _, e := range s.all() {
		if f, ok := e.figures(); ok {
			all = append(all, f)
		}
	}
	return all
}

// Indexing returns how many events the indexes of all sites have read, and their total.
func (s *Set) Indexing() (read, total int64) {
	s.each(func(live *site.Live) {
		has, of := live.Indexing()
		read, total = read+has, total+of
	})
	return read, total
}

// Differences returns the fields in which responses of WordPress and the sites in memory have differed.
func (s *Set) Differences() []diffmode.Field {
	var all []diffmode.Field
	s.each(func(live *site.Live) { all = append(all, live.Differences()...) })
	return all
}

// Proof returns what mode auto has proved for the main site.
func (s *Set) Proof() (report proof.Report, ok bool) {
	s.withMain(func(live *site.Live) { report, ok = live.Proof() })
	return report, ok
}

// ProofOf returns what mode auto has proved for the site that Named finds.
func (s *Set) ProofOf(ctx context.Context, name string) (report proof.Report, ok bool, err error) {
	of, err := Named(s.Source.All(), name)
	if err != nil {
		return report, false, err
	}
	e := s.entry(of)
	live, err := e.enter(ctx)
	if err != nil {
		return report, false, fmt.Errorf("the site %s can't be served: %w", of.Name, err)
	}
	defer e.leave()
	report, ok = live.Proof()
	return report, ok, nil
}

// Notice applies a notice of the companion plugin to the sites in memory, since it doesn't name its site.
func (s *Set) Notice(n notice.Notice) {
	s.each(func(live *site.Live) { live.Notice(n) })
}

// WebhookSites implements daemon.Served: the sites that keep a journal, but for those that are closed.
func (s *Set) WebhookSites(*settings.Settings) (sites []webhook.Site, changed <-chan struct{}) {
	changed = s.Source.Moved()
	for _, of := range s.Source.All() {
		if of.Closed != "" || !of.Settings.KeepsJournal() {
			continue
		}
		sites = append(sites, webhook.Site{Name: of.Name, ID: idOf(of), URL: of.URL, Calendar: &site.Calendar{Settings: of.Settings, Use: s.user(of)}})
	}
	return sites, changed
}

// user returns a function that calls another with a site, unless it is gone or can't be opened.
func (s *Set) user(of *Site) func(context.Context, func(*site.Live)) error {
	return func(ctx context.Context, do func(*site.Live)) error {
		if !slices.Contains(s.Source.All(), of) {
			return errGone
		}
		e := s.entry(of)
		live, err := e.enter(ctx)
		if err != nil {
			return err
		}
		defer e.leave()
		do(live)
		return nil
	}
}

// EndStreams ends the streams of changes of all sites.
func (s *Set) EndStreams() {
	s.each(func(live *site.Live) { live.EndStreams() })
}

// Close closes all sites and their source. No request may be in flight.
func (s *Set) Close() error {
	s.stop()
	s.EndStreams()
	s.streamed.Close()
	s.work.Wait()
	var errs []error
	for _, e := range s.all() {
		_, err := e.unload(true)
		errs = append(errs, err)
	}
	if s.Elsewhere != nil {
		s.Elsewhere.Close()
	}
	return errors.Join(append(errs, s.Source.Close(), s.shared.close())...)
}
