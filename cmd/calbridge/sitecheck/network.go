package sitecheck

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore"
	"calbridge/wpstore/check"
	"calbridge/wpstore/sitedb"
)

// Multisite reports whether wp-config.php makes WordPress a network of sites.
func Multisite(s *settings.Settings) bool {
	defined, _ := wpConstant(s, "MULTISITE")
	return defined != "" && defined != "0"
}

// mostBlogs bounds how many sites of a network are read.
const mostBlogs = 1000

// networkFindings describes the network of sites that the site belongs to, and which of its
// sites is served. Outside of networks there are none.
func networkFindings(ctx context.Context, s *settings.Settings, store *sitedb.DB, facts *wpstore.SiteFacts) check.Report {
	const name = "site.network"
	multisite := Multisite(s)
	switch {
	case facts.Multisite && s.Origin.WPConfig != nil && !multisite:
		return check.Report{Warning(name, fmt.Sprintf("the database has the table %s of a network of sites, but wp-config.php does not define MULTISITE: calbridge names cookies and grants rights as on a network", store.Table("sitemeta")),
			"Pass the wp-config.php that WordPress uses. If the site has been taken out of its network, remove the network's tables.")}
	case !facts.Multisite && multisite:
		return check.Report{Warning(name, fmt.Sprintf("wp-config.php defines MULTISITE, but there is no table %s that this database user may read: cookies and rights are those of a single site", store.Table("sitemeta")),
			"Grant SELECT on the network's tables, and check --table-prefix.")}
	case !facts.Multisite && s.Database.BlogID > 1:
		return check.Report{Warning(name, fmt.Sprintf("site %d of a network is served, but there is no table %s that this database user may read: cookies and rights are those of a single site", s.Database.BlogID, store.Table("sitemeta")),
			"Grant SELECT on the network's tables, or leave --blog-id out.")}
	case !facts.Multisite:
		return nil
	}
	blogs, err := store.Session(nil).Options.Blogs(ctx, mostBlogs)
	if err != nil {
		return check.Report{Warning(name, fmt.Sprintf("a network of sites (MULTISITE), of which site %d is served; its other sites are unknown: %v", s.Database.BlogID, err), "Grant SELECT on the table "+store.Table("blogs")+".")}
	}
	return networkReport(s, blogs)
}

// networkReport returns about a network with these sites.
func networkReport(s *settings.Settings, blogs []wpstore.Blog) check.Report {
	const name = "site.network"
	at := slices.IndexFunc(blogs, func(b wpstore.Blog) bool { return b.ID == s.Database.BlogID })
	if at < 0 {
		if len(blogs) == mostBlogs {
			return check.Report{Success(name, fmt.Sprintf("a network (MULTISITE) of more than %d sites; site %d is served", mostBlogs, s.Database.BlogID))}
		}
		return check.Report{Warning(name, fmt.Sprintf("the network (MULTISITE) has no site %d, only %s", s.Database.BlogID, blogList(blogs)), "Correct --blog-id.")}
	}
	served := blogs[at]
	found := fmt.Sprintf("a network (MULTISITE) of %d sites; site %s is served, by %s", len(blogs), blogText(served), s.Origin.Of("blog-id"))
	if closed := ClosedText(served); closed != "" {
		return check.Report{Warning(name, found+"; it is "+closed+", so WordPress and calbridge answer all its requests with 410", "Serve another site by --blog-id, or open this one in the network's administration.")}
	}
	others := slices.DeleteFunc(slices.Clone(blogs), func(b wpstore.Blog) bool { return b.ID == served.ID || ClosedText(b) != "" })
	if !s.Origin.ByOwner("blog-id") && len(others) > 0 {
		return check.Report{Warning(name, found+"; the others are not: "+blogList(others), "Add --network to serve all sites of the network, or --blog-id to name the one that you mean.")}
	}
	return check.Report{Success(name, found)}
}

// shownBlogs bounds how many sites a finding names.
const shownBlogs = 8

func blogList(blogs []wpstore.Blog) string {
	var texts []string
	for _, b := range blogs[:min(len(blogs), shownBlogs)] {
		texts = append(texts, blogText(b))
	}
	if more := len(blogs) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, ", ")
}

func blogText(b wpstore.Blog) string { return fmt.Sprintf("%d (%s%s)", b.ID, b.Domain, b.Path) }

// ClosedText describes why WordPress closes a site, "" for one that is open.
func ClosedText(b wpstore.Blog) string {
	switch {
	case b.Deleted == 2:
		return "not activated yet"
	case b.Deleted != 0:
		return "deleted"
	case b.Archived:
		return "archived"
	case b.Spam:
		return "marked as spam"
	}
	return ""
}

// Network checks whether WordPress finds the sites of a network by its tables alone, as --network does.
func Network(s *settings.Settings) check.Report {
	var report check.Report
	if sunrise, _ := wpConstant(s, "SUNRISE"); sunrise != "" && sunrise != "0" {
		report = append(report, Failure("network.sunrise", s.Origin.WPConfig.Path+" defines SUNRISE: WordPress lets wp-content/sunrise.php choose the site of each request, and calbridge doesn't run it",
			"Leave this network to WordPress, or name its sites and their addresses in a file for --sites. If sunrise.php is not in use any more, remove the constant."))
	}
	if s.Origin.WPConfig == nil {
		return report
	}
	for _, name := range []string{"$table_prefix", "DB_NAME", "DB_HOST", "SITE_ID_CURRENT_SITE", "BLOG_ID_CURRENT_SITE"} {
		if read := s.Origin.WPConfig.Settings[name]; read.Why != "" {
			report = append(report, Warning("network.wp-config", fmt.Sprintf("%s:%d: %s %s: it may depend on the request, and calbridge reads all sites from one place", s.Origin.WPConfig.Path, read.Line, name, read.Why),
				"Leave this network to WordPress if the value depends on the host or the path of a request, or name its sites in a file for --sites, each with its own settings."))
		}
	}
	return report
}

// DatabaseDropIn warns of a wp-content/db.php, which may spread the sites of a network over several
// databases. facts are those of any site of the network, and may be nil.
func DatabaseDropIn(facts *sitefacts.Document) check.Report {
	if facts == nil || !slices.Contains(facts.Texts(sitefacts.DropIns), "db.php") {
		return nil
	}
	return check.Report{Warning("network.db-php", "wp-content/db.php replaces WordPress's access to the database: if it spreads the sites over several databases, as HyperDB and LudicrousDB can, calbridge finds only those in this one",
		"Leave this network to WordPress if it does, or name its sites in a file for --sites, each with its own --dsn.")}
}
