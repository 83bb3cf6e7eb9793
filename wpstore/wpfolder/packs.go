package wpfolder

import (
	"cmp"
	"fmt"

	"calbridge/wpstore/langpack"
)

const english = "en_US"

// packs reads the language packs of a locale.
func (r *reader) packs(languages place, locale, wordpress string) langpack.Packs {
	locale = cmp.Or(locale, english)
	p := langpack.Packs{
		Core:     r.pack(languages, locale, wordpress),
		Calendar: r.pack(languages, "plugins/"+langpack.Calendar+"-"+locale, wordpress),
		Common:   r.pack(languages, "plugins/"+langpack.Common+"-"+locale, wordpress),
	}
	if p.Core == nil && locale != english {
		r.warn(r.label(languages, locale+".mo"), "no language pack of "+locale+" can be read: without one WordPress responds in English")
	}
	return p
}

// pack reads the first of a pack's files that can be read. Since 6.5 WordPress prefers the
// PHP file; an unknown version counts as newer.
func (r *reader) pack(languages place, name, wordpress string) *langpack.Catalogue {
	var major, minor int
	n, _ := fmt.Sscanf(wordpress, "%d.%d", &major, &minor)
	if n < 2 || major > 6 || major == 6 && minor >= 5 {
		if c := r.catalogue(languages, name+".l10n.php", langpack.ParsePHP); c != nil {
			return c
		}
	}
	return r.catalogue(languages, name+".mo", langpack.ParseMO)
}

// catalogue reads one file. On failure it returns nil and adds a warning, unless the file
// does not exist.
func (r *reader) catalogue(languages place, name string, parse func([]byte) (*langpack.Catalogue, error)) *langpack.Catalogue {
	data, err := r.whole(languages, name, langpack.MaxFile)
	if err != nil {
		return nil
	}
	c, err := parse(data)
	if err != nil {
		r.warn(r.label(languages, name), "the language pack is not used: "+err.Error())
		return nil
	}
	return c
}
