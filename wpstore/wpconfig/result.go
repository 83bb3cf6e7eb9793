package wpconfig

import "calbridge/wpstore/php"

// result is what an expression comes to.
type result struct {
	value php.Value
	why   string // why the value is not known, "" when it is
	// unset names an environment variable that is not set here. The value is then
	// what PHP gets for it, but the web server's PHP may have another environment:
	// good enough to choose a default by, not to be a setting.
	unset string
}

// unknown says why a result is no setting, "" when it is one.
func (r result) unknown() string {
	if r.why == "" && r.unset != "" {
		return "comes from the environment variable " + r.unset + ", which is not set here"
	}
	return r.why
}

func unknown(why string) result { return result{why: why} }
