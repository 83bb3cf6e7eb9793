package sites

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/wpstore"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
)

const (
	// mostBlogs bounds the number of sites of a network.
	mostBlogs = 100_000
	// lookEvery is the interval at which the tables of the network are read although the binary log
	// has shown no change, or can't be followed.
	lookEvery = 15 * time.Second
	// readTimeout bounds one reading.
	readTimeout = 30 * time.Second
)

// Network is the Source of a WordPress network.
type Network struct {
	store  *sitedb.DB
	logger *slog.Logger
	// settings are those that all sites share.
	settings atomic.Pointer[settings.Settings]
	now      atomic.Pointer[directory]
	// due has an element when the tables may have changed.
	due  chan struct{}
	stop context.CancelFunc
	work sync.WaitGroup
	// reading is held while the tables are read.
	reading sync.Mutex
}

// directory holds the sites of a network at one time.
type directory struct {
	settings *settings.Settings // that all sites share
	url      string             // of the network, with a slash at its end
	folders  bool               // the sites are in folders of one host, not in subdomains
	all      []*Site
	at       map[string]*Site // by address
	depth    int              // see candidates
	moved    chan struct{}
}

// ReadNetwork returns the Source of the network whose tables the store has. It closes the store when it is
// closed.
func ReadNetwork(ctx context.Context, s *settings.Settings, store *sitedb.DB, logger *slog.Logger) (*Network, error) {
	n := &Network{store: store, logger: logger, due: make(chan struct{}, 1), stop: func() {}}
	n.settings.Store(s)
	if err := n.read(ctx); err != nil {
		return nil, err
	}
	return n, nil
}

// OpenNetwork returns the Source of ReadNetwork, and follows the tables of the network until it is closed.
func OpenNetwork(ctx context.Context, s *settings.Settings, store *sitedb.DB, logger *slog.Logger) (*Network, error) {
	n, err := ReadNetwork(ctx, s, store, logger)
	if err != nil {
		return nil, err
	}
	follow, stop := context.WithCancel(context.Background())
	n.stop = stop
	tracker := invalidation.NewTracker()
	tracker.Listen(func(tags []invalidation.Tag, everything bool) {
		if everything || slices.Contains(tags, invalidation.Tag{Kind: invalidation.Site}) {
			select {
			case n.due <- struct{}{}:
			default:
			}
		}
	})
	store.Guard().Loop(follow, &n.work, "following the sites of the network", n.follow)
	if !store.Dialect().Embedded() {
		store.Guard().Loop(follow, &n.work, "following the binary log", func(ctx context.Context) {
			if err := store.Feed.Follow(ctx, tracker, changefeed.Observer{}); err != nil && ctx.Err() == nil {
				logger.Warn("changes of the network's sites are found late", "err", err)
				<-ctx.Done()
			}
		})
	}
	return n, nil
}

// follow reads the tables when they have changed.
func (n *Network) follow(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-n.due:
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		if err := n.read(ctx); err != nil && ctx.Err() == nil {
			n.logger.Warn("the sites of the network could not be read", "err", err)
		}
	}
}

// read reads the tables. The sites that have not changed remain the same.
func (n *Network) read(ctx context.Context) error {
	n.reading.Lock()
	defer n.reading.Unlock()
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	s := n.settings.Load()
	options := &n.store.Session(nil).Options
	network, err := options.Network(ctx, cmp.Or(networkID(s), 1), mostBlogs)
	if errors.Is(err, wpstore.ErrSchema) {
		return fmt.Errorf("--network: the database has no WordPress network (multisite) that this user may read; leave --network out to serve one site, or check --table-prefix: %w", err)
	}
	if err != nil {
		return fmt.Errorf("read the sites of the network: %w", err)
	}
	if len(network.Blogs) == 0 {
		return errors.New("--network: the database has no WordPress network (multisite): its table " + n.store.Table("blogs") + " has no site")
	}
	own, err := options.NetworkOptions(ctx, []string{"siteurl", "subdomain_install"})
	if err != nil {
		return fmt.Errorf("read the options of the network: %w", err)
	}
	last := n.now.Load()
	next := newDirectory(s, network, own, last)
	if last != nil && slices.Equal(last.all, next.all) && last.url == next.url && last.folders == next.folders {
		return nil
	}
	n.now.Store(next)
	if last != nil {
		close(last.moved)
	}
	return nil
}

// networkID returns the number of the network that wp-config.php names, 0 without one.
func networkID(s *settings.Settings) int64 {
	text, _ := constant(s, "SITE_ID_CURRENT_SITE")
	id, _ := strconv.ParseInt(text, 10, 64)
	return id
}

// constant returns a constant of wp-config.php.
func constant(s *settings.Settings, name string) (string, bool) {
	if s.Origin.WPConfig == nil {
		return "", false
	}
	return s.Origin.WPConfig.Text(name)
}

// newDirectory arranges the sites of a network. It keeps those of last that are the same.
func newDirectory(s *settings.Settings, network wpstore.Network, options map[string]string, last *directory) *directory {
	d := &directory{settings: s, url: options["siteurl"], at: map[string]*Site{}, depth: depthOf(network.Domain+network.Path) + 1, moved: make(chan struct{})}
	subdomains, ok := constant(s, "SUBDOMAIN_INSTALL")
	if !ok {
		subdomains = options["subdomain_install"]
	}
	d.folders = subdomains == "" || subdomains == "0"
	before := map[string]*Site{}
	if last != nil {
		for _, site := range last.all {
			before[site.Name] = site
		}
	}
	for _, b := range network.Blogs {
		site := &Site{Name: strconv.FormatInt(b.ID, 10), Address: strings.ToLower(b.Domain + b.Path), Public: b.Public && b.Closed() == "", Closed: sitecheck.ClosedText(b)}
		site.URL = "https://" + strings.TrimSuffix(site.Address, "/")
		if old := before[site.Name]; old != nil && old.Address == site.Address && old.Public == site.Public && old.Closed == site.Closed && last.settings == s {
			site = old
		} else {
			site.Settings = s.Blog(b.ID)
		}
		d.at[site.Address] = site
		if b.ID == s.Site.MainBlogID {
			d.all = slices.Insert(d.all, 0, site)
		} else {
			d.all = append(d.all, site)
		}
	}
	return d
}

// Find implements Source. WordPress takes the longest address that a site has. It knows no host with
// another port than the default one, or with a dot at its end.
func (n *Network) Find(host, path string) Match {
	d := n.now.Load()
	if host = hostOf(host); !strings.HasSuffix(host, ".") && (!strings.Contains(host, ":") || strings.HasPrefix(host, "[")) {
		for _, address := range candidates(host, path, d.depth) {
			if site := d.at[address]; site != nil {
				return Match{Site: site}
			}
		}
	}
	if !d.folders {
		return Match{} // WordPress offers to register a new site there
	}
	return Match{Redirect: d.url}
}

// All implements Source.
func (n *Network) All() []*Site { return n.now.Load().all }

// Moved implements Source.
func (n *Network) Moved() <-chan struct{} { return n.now.Load().moved }

// Renew implements Source.
func (n *Network) Renew(ctx context.Context, s *settings.Settings) error {
	last := n.settings.Load()
	if last.Fingerprint() == s.Fingerprint() {
		return nil
	}
	n.settings.Store(s)
	if err := n.read(ctx); err != nil {
		n.settings.Store(last)
		return err
	}
	return nil
}

// Close implements Source.
func (n *Network) Close() error {
	n.stop()
	n.work.Wait()
	return n.store.Close()
}
