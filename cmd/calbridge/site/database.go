package site

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"calbridge/cmd/calbridge/cachesync"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/companion"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/rest/rollout"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore"
	"calbridge/wpstore/check"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Check runs the checks of Open and those that only matter before a start. It continues after
// failures as far as possible. The returned facts are nil if the database can't be served.
func Check(ctx context.Context, s *settings.Settings) (check.Report, *sitefacts.Document) {
	report := slices.Concat(validate(s, nil), CheckProcess(ctx, s), sitecheck.Upstream(ctx, s.Rollout.Upstream, s.API.Namespace))
	found, facts := checkContents(ctx, s, Shared{})
	return append(report, found...), facts
}

// CheckProcess checks what all sites of a process share: its clock and its listeners.
func CheckProcess(ctx context.Context, s *settings.Settings) check.Report {
	var report check.Report
	if !s.Clock.IsZero() {
		report = append(report, sitecheck.Warning("settings.clock", "the clock is stopped at "+s.Clock.Format(time.RFC3339), "Use --clock only to replay recordings."))
	}
	return append(report, sitecheck.Listen(ctx, s.Listen)...)
}

// CheckShared runs the checks of Check for one of several sites, without those of CheckProcess and of
// --upstream.
func CheckShared(ctx context.Context, s *settings.Settings, shared Shared) (check.Report, *sitefacts.Document) {
	found, facts := checkContents(ctx, s, shared)
	return append(validate(s, shared.Files), found...), facts
}

// checkContents checks the database and the facts of a site.
func checkContents(ctx context.Context, s *settings.Settings, shared Shared) (report check.Report, of *sitefacts.Document) {
	cfg := StoreConfig(s, slog.New(slog.DiscardHandler), nil)
	cfg.Servers = shared.Servers
	store, read, found, err := OpenDatabase(ctx, s, cfg)
	if setting := (cmdline.SettingError{}); errors.As(err, &setting) {
		return append(report, sitecheck.Failure("settings.database", err.Error(), "")), nil
	}
	if err != nil {
		return append(report, sitecheck.Failure("database.connection", err.Error(), "")), nil
	}
	defer store.Close()
	report = append(report, found...)
	if found.Worst() == check.StatusFail {
		return report, nil
	}
	client, err := companion.Open(s.Companion, slog.New(slog.DiscardHandler))
	if err == nil { // validate reports the error, as it does for the profile
		defer client.Close()
	}
	profile, err := shared.Files.profile(s)
	if err != nil {
		profile = nil
	}
	gatherer := &sitecheck.Gatherer{Settings: s, Store: store, Companion: client, Profile: profile, Folders: shared.Files.folders()}
	facts, found, err := gatherer.GatherWith(ctx, read)
	if err != nil {
		return append(report, sitecheck.Failure("facts.database", err.Error(), "")), nil
	}
	report = slices.Concat(report, found, sitecheck.Facts(s, facts))
	if report.Worst() != check.StatusFail {
		report = append(report, sitecheck.Lists(ctx, store)...)
		report = append(report, sitecheck.Blocks(ctx, store, profile, sitecheck.PluginBlocks(s, facts))...)
	}
	return append(report, checkCache(ctx, s, store, client)...), facts
}

// checkCache reports what would invalidate the caches.
func checkCache(ctx context.Context, s *settings.Settings, store *sitedb.DB, client *companion.Client) check.Report {
	var report check.Report
	mode := s.Cache.Mode
	if mode == settings.CacheAuto || mode == settings.CacheStrict {
		report = sitecheck.ChangeFeed(ctx, store)
	}
	if s.Rollout.Plan.Mode == rollout.Auto && mode == settings.CacheAuto && (len(report) == 0 || report[0].Status != check.StatusOK) {
		return append(report, sitecheck.Failure("rollout.mode", errNoLog.Error(), "Let the binary log be followed, or choose another --mode."))
	}
	if mode == settings.CacheAuto && len(report) > 0 && report[0].Status != check.StatusOK {
		mode = settings.CacheOff
		if s.FollowsNotices() {
			mode = settings.CacheNotices
		}
	}
	if mode == settings.CacheNotices {
		_, err := cachesync.LastNotice(store)(ctx)
		if sends := noticesSent(client); err == nil && sends != nil {
			err = sends(ctx)
		}
		report = append(report, sitecheck.Notices(s, err, cachesync.LostNoticeAfter))
	}
	return report
}

// NoDatabase returns the error for settings that name no database.
func NoDatabase() error {
	return cmdline.SettingError{Err: errors.New("no database configured: use --wp-config /path/to/wp-config.php or put user:password@tcp(host:3306)/name into a file and name it in CALBRIDGE_DSN_FILE; `calbridge demo` needs no database")}
}

// OpenDatabase connects to the database and checks its contents. The facts are nil if a check failed. It returns
// an error if the database can't be queried.
func OpenDatabase(ctx context.Context, s *settings.Settings, cfg sitedb.Config) (*sitedb.DB, *wpstore.SiteFacts, check.Report, error) {
	if cfg.Database.IsZero() {
		return nil, nil, nil, NoDatabase()
	}
	if _, err := table.New(cfg.Tables); err != nil {
		return nil, nil, nil, cmdline.SettingError{Err: err}
	}
	store, err := sitedb.Open(ctx, cfg)
	if of := (*sqlconn.SettingError)(nil); errors.As(err, &of) {
		return nil, nil, nil, fmt.Errorf("%s: %w", s.Origin.Of(of.Setting), of.Err)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	report, facts, err := sitecheck.Database(ctx, s, store)
	if err != nil {
		return nil, nil, nil, errors.Join(err, store.Close())
	}
	return store, facts, report, nil
}
