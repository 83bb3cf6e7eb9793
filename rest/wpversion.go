package rest

import "calbridge/wpstore/php"

// releases maps the option db_version to the first WordPress release that has
// it, newest first. Older releases than the last one count as that.
var releases = []struct {
	dbVersion int64
	release   string
}{
	{61833, "7.0"}, {60717, "6.9"}, {0, "6.8"},
}

// wordPressVersion is the release to agree with: the setting, else what
// db_version says.
func (cfg *Config) wordPressVersion(dbVersion string) string {
	if cfg.WordPress != "" {
		return cfg.WordPress
	}
	n := php.ToInt(dbVersion)
	for _, r := range releases {
		if n >= r.dbVersion {
			return r.release
		}
	}
	return releases[0].release
}
