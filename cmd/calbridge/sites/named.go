package sites

import (
	"fmt"
	"strings"

	"calbridge/cmd/calbridge/cmdline"
)

// mostNamed limits how many sites an error lists.
const mostNamed = 12

// SiteHelp is the help of the flag --site, which takes what Named finds.
const SiteHelp = "the site `SITE`, of several with --network or --sites: its number in the network or its name in the file, its host, or its path"

// Named returns the site with a name: its number or the name that a file gives it, its address, or the host or
// the path if only one site has it. The error is a cmdline.UsageError that lists the sites.
func Named(all []*Site, name string) (*Site, error) {
	for _, of := range all {
		if of.Name == name {
			return of, nil
		}
	}
	if name == "" {
		return nil, cmdline.Usagef("--site is missing: it names one of several sites; %s", listNames("they are", all))
	}
	_, address, ok := strings.Cut(name, "://")
	if !ok {
		address = name
	}
	address = strings.ToLower(strings.Trim(address, "/"))
	for _, part := range []func(*Site) string{
		func(of *Site) string { return of.Address },
		func(of *Site) string { return pathOf(of) },
	} {
		var found []*Site
		for _, of := range all {
			if strings.Trim(part(of), "/") == address {
				found = append(found, of)
			}
		}
		switch len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return nil, cmdline.Usagef("--site: %q names several sites; use a number, a name or an address: %s", name, listNames("they are", found))
		}
	}
	return nil, cmdline.Usagef("--site: no site has the name, host or path %q; %s", name, listNames("the sites are", all))
}

// listNames returns a text that lists sites.
func listNames(intro string, all []*Site) string {
	var names []string
	for _, of := range all[:min(len(all), mostNamed)] {
		names = append(names, of.Name+" ("+of.Address+")")
	}
	text := intro + " " + strings.Join(names, ", ")
	if more := len(all) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more, which `calbridge check` lists", more)
	}
	return text
}
