package wpfolder

import (
	"cmp"
	"fmt"

	"calbridge/wpstore/langpack"
)

const english = "en_US"

// packs reads the language packs of a locale. The calendar's own folders have packs too, which count
// where WordPress has downloaded none.
func (r *reader) packs(languages, plugins place, locale, wordpress string) langpack.Packs {
	locale = cmp.Or(locale, english)
	calendar, common := langpack.Calendar+"-"+locale, langpack.Common+"-"+locale
	p := langpack.Packs{
		Core:     r.pack(wordpress, packFile{languages, locale}),
		Calendar: r.pack(wordpress, packFile{languages, "plugins/" + calendar}, packFile{plugins, langpack.Calendar + "/lang/" + calendar}),
		Common:   r.pack(wordpress, packFile{languages, "plugins/" + common}, packFile{plugins, langpack.Calendar + "/common/lang/" + common}),
	}
	if p.Core == nil && locale != english {
		r.warn(r.label(languages, locale+".mo"), "no language pack of "+locale+" can be read: without one WordPress responds in English")
	}
	return p
}

// packFile is a file of a pack, without its extension.
type packFile struct {
	in   place
	name string
}

// pack reads the first of a pack's files that can be read. Since 6.5 WordPress prefers the
// PHP file; an unknown version counts as newer.
func (r *reader) pack(wordpress string, files ...packFile) *langpack.Catalogue {
	var major, minor int
	n, _ := fmt.Sscanf(wordpress, "%d.%d", &major, &minor)
	for _, file := range files {
		if n < 2 || major > 6 || major == 6 && minor >= 5 {
			if c := r.catalogue(file.in, file.name+".l10n.php", langpack.ParsePHP); c != nil {
				return c
			}
		}
		if c := r.catalogue(file.in, file.name+".mo", langpack.ParseMO); c != nil {
			return c
		}
	}
	return nil
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
