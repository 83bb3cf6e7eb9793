package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"calbridge/rest/wpauth"
	"calbridge/wpstore"
	"calbridge/wpstore/sample"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlite"
)

// demoUser is the administrator of the sample calendar.
const demoUser = "demo"

// demoCommand serves a sample calendar from an embedded database.
func demoCommand(ctx context.Context, p *program, args []string) error {
	if len(args) > 0 && args[0] == "load" {
		return demoLoadCommand(ctx, p, args[1:])
	}
	var keep string
	c, err := configure(p, "demo", args, demoSettings(), func(fs *flag.FlagSet) {
		fs.StringVar(&keep, "keep", "", "keep the calendar in this `FILE` (SQLite) and go on with it next time; `calbridge serve --dsn sqlite:FILE` serves it too")
	})
	if err != nil {
		return err
	}
	c.dsn, c.tablePrefix, c.blogID = "sqlite:"+sqlite.Memory, "wp_", 1
	if keep != "" {
		c.dsn = "sqlite:" + keep
	}
	// Over plain HTTP, WordPress takes application passwords only locally.
	c.applicationPasswords, c.environment, c.recordUse, c.theme = "auto", "local", true, themeTwentyTwentyFive
	l, err := c.openListeners()
	if err != nil {
		return err
	}
	defer l.close()
	c.home = "http://" + dialAddress(l.api.Addr().String())
	if c.tlsCert != "" {
		c.home = "https" + strings.TrimPrefix(c.home, "http")
	}
	c.siteURL = c.home
	return c.demo(ctx, p, l, keep)
}

// demoSettings are the settings that mean something to the demo.
func demoSettings() []setting {
	var table []setting
	for _, s := range settingTable() {
		if s.group == groupListen || s.group == groupInterface || s.group == groupCache || s.group == groupLog {
			table = append(table, s)
		}
	}
	return table
}

func (c *configuration) demo(ctx context.Context, p *program, l listeners, keep string) error {
	logger, flush := c.newLogger(p.stderr)
	defer flush()
	m := newMetrics()
	profile, err := c.loadProfile()
	if err != nil {
		return err
	}
	storeConfig := c.storeConfig(logger, m, nil)
	storeConfig.CreateFile, storeConfig.Ledger = true, c.newLedger()
	store, err := sitedb.Open(ctx, storeConfig)
	if err != nil {
		return err
	}
	password, err := c.prepareDemo(ctx, store)
	if err != nil {
		return fmt.Errorf("demo: %w", errors.Join(err, store.Close()))
	}
	mode := cacheOff
	if keep == "" && c.cache != cacheOff {
		mode = cacheOwn // nobody else can reach the database
	}
	g, err := c.newGeneration(store, c.keep(mode, store, storeConfig.Ledger, m, logger), themeTwentyTwentyFive, c.home, profile, logger, m)
	if err != nil {
		return fmt.Errorf("demo: %w", errors.Join(err, store.Close()))
	}
	r := newRunning(p, c, g, m, logger)
	defer r.close()
	d := demoText{home: c.home, path: "/" + c.restPrefix + "/" + c.namespace, languageParam: c.languageParam, user: demoUser, password: password, keep: keep}
	if l.ops != nil {
		d.ops = "http://" + dialAddress(l.ops.Addr().String())
	}
	d.write(p.stdout)
	return r.run(ctx, l)
}

// prepareDemo loads the calendar unless it is there, and gives the demo user a new
// application password, which it returns as it is typed.
func (c *configuration) prepareDemo(ctx context.Context, store *sitedb.DB) (password string, err error) {
	password = newApplicationPassword()
	hash := wpauth.FastHash(strings.ReplaceAll(password, " ", ""))
	_, err = store.SiteFacts(ctx)
	if errors.Is(err, wpstore.ErrSchema) {
		return password, sample.Load(ctx, store, sample.Options{Now: c.now(), Home: c.home, PasswordHash: hash})
	}
	if err != nil {
		return "", err
	}
	user, err := store.UserByLogin(ctx, demoUser)
	if err != nil {
		return "", err
	}
	if user == nil || user.AppPasswordMetaID == 0 {
		return "", errors.New("the file holds another site, not the demo's: serve it with `calbridge serve --dsn sqlite:FILE`")
	}
	fresh := sample.ApplicationPasswords(hash, c.now().Unix())
	return password, store.RecordApplicationPasswordUse(ctx, user.AppPasswordMetaID, user.Meta[wpstore.MetaAppPasswords], fresh)
}

// newApplicationPassword makes one as WordPress does: 24 letters and digits, shown
// in groups of four.
func newApplicationPassword() string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	var b strings.Builder
	for b.Len() < 24+5 {
		if b.Len()%5 == 4 {
			b.WriteByte(' ')
		}
		var one [1]byte
		_, _ = rand.Read(one[:]) // never fails
		if int(one[0]) < 4*len(letters) {
			b.WriteByte(letters[int(one[0])%len(letters)])
		}
	}
	return b.String()
}

// demoText is what the demo prints when it starts.
type demoText struct{ home, path, languageParam, user, password, ops, keep string }

// demoExample is a line to paste, and what it shows.
type demoExample struct{ what, line string }

// root is the address of the interface in a language, "" for the default one.
func (d demoText) root(language string) string {
	if language == "" {
		return d.home + d.path
	}
	return d.home + "/" + language + d.path
}

func (d demoText) examples() []demoExample {
	in := func(language, what, path string) demoExample {
		return demoExample{what, fmt.Sprintf("curl -s '%s%s'", d.root(language), path)}
	}
	get := func(what, path string) demoExample { return in("", what, path) }
	as := func(what, path string) demoExample {
		return demoExample{what, fmt.Sprintf("curl -s -u '%s:%s' '%s%s'", d.user, d.password, d.root(""), path)}
	}
	wanted := "&" + d.languageParam + "="
	return []demoExample{
		get("the next three events, in Czech", "/events?per_page=3"),
		in("en", "in English", "/events?per_page=3"),
		in("de", "in German", "/events?per_page=3"),
		get("English from the Czech root, by the language parameter", "/events?per_page=3"+wanted+"en"),
		get("German categories likewise", "/categories?per_page=20"+wanted+"de"),
		get("featured events", "/events?featured=true&per_page=5"),
		get("a word", "/events?search=varhany&per_page=5"),
		in("en", "a word in English", "/events?search=organ&per_page=5"),
		get("a category, by its slug", "/events?categories=hudba&per_page=5"),
		in("de", "the same category in German, by its Czech slug", "/events?categories=hudba&per_page=5"),
		get("one event, by its slug", "/events/by-slug/letni-festival-lipa-v-kvetu"),
		get("venues with upcoming events", "/venues?only_with_upcoming=true&per_page=5"),
		get("organizers", "/organizers?per_page=5"),
		get("categories", "/categories?per_page=20&hide_empty=0"),
		get("tags", "/tags?per_page=20"),
		get("OpenAPI document", "/doc"),
		as("drafts, as administrator", "/events?status=draft&per_page=5"),
		{"what WordPress shows of the headers", fmt.Sprintf("curl -sI '%s/events?per_page=2'", d.root(""))},
	}
}

func (d demoText) write(w io.Writer) {
	where := "in memory: gone when this stops"
	if d.keep != "" {
		where = "in " + d.keep
	}
	fmt.Fprintf(w, "The calendar of the little town of Lípa is being served (%s).\n\n", where)
	fmt.Fprintf(w, "Look at it in a browser, in Czech, English and German:\n")
	for _, language := range []string{"", "en", "de"} {
		fmt.Fprintf(w, "  %s/\n", d.root(language))
	}
	fmt.Fprintf(w, "  %s/events?per_page=10\n\nOr paste a line:\n", d.root(""))
	for _, e := range d.examples() {
		fmt.Fprintf(w, "  # %s\n  %s\n", e.what, e.line)
	}
	fmt.Fprintf(w, "\nThe administrator is %s with the application password '%s'.\n", d.user, d.password)
	if d.ops != "" {
		fmt.Fprintf(w, "Metrics: %s/metrics\n", d.ops)
	}
	fmt.Fprintln(w, "Stop with Ctrl-C.")
}
