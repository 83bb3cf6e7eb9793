package sitecheck

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"calbridge/cmd/calbridge/settings"
	"calbridge/wpstore"
	"calbridge/wpstore/check"
	"calbridge/wpstore/sitedb"
)

// mostBlogs bounds how many sites of a network are read.
const mostBlogs = 1000

// networkFindings describes the network of sites that the site belongs to, and which of its
// sites is served. Outside of networks there are none.
func networkFindings(ctx context.Context, s *settings.Settings, store *sitedb.DB, facts *wpstore.SiteFacts) check.Report {
	const name = "site.network"
	defined, _ := wpConstant(s, "MULTISITE")
	multisite := defined != "" && defined != "0"
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
	if closed := closedText(served); closed != "" {
		return check.Report{Warning(name, found+"; it is "+closed+", so WordPress answers all its requests with 410, but calbridge does not", "Serve another site by --blog-id, or open this one in the network's administration.")}
	}
	others := slices.DeleteFunc(slices.Clone(blogs), func(b wpstore.Blog) bool { return b.ID == served.ID || closedText(b) != "" })
	if !s.Origin.ByOwner("blog-id") && len(others) > 0 {
		return check.Report{Warning(name, found+"; the others are not: "+blogList(others), "Add --blog-id to name the site that you mean. Each site needs a process of its own.")}
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

// closedText describes why WordPress closes a site, "" for one that is open.
func closedText(b wpstore.Blog) string {
	switch {
	case b.Deleted != 0:
		return "deleted"
	case b.Archived:
		return "archived"
	case b.Spam:
		return "marked as spam"
	}
	return ""
}
