package wpfolder

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"calbridge/wpstore/phptoken"
)

const (
	maxVersionFile = 64 << 10
	// headerSize is the part of a file that WordPress searches for headers, in bytes.
	headerSize = 8 << 10
)

var plainVersion = regexp.MustCompile(`^\d{1,3}\.\d{1,3}(\.\d{1,3})*(-[0-9A-Za-z.-]{1,40})?$`)

// wordpress reads $wp_version from wp-includes/version.php.
func (r *reader) wordpress(root place) string {
	const name = "wp-includes/version.php"
	data, err := r.whole(root, name, maxVersionFile)
	if errors.Is(err, fs.ErrNotExist) {
		r.warn(r.label(root, name), "it does not exist, so the files do not show the version of WordPress")
	}
	if err != nil {
		return ""
	}
	version, err := assignedVersion(string(data))
	if err != nil {
		r.warn(r.label(root, name), err.Error())
	}
	return version
}

// assignedVersion returns the text that a file assigns to $wp_version. It must be a single,
// literal assignment.
func assignedVersion(src string) (string, error) {
	tokens := slices.Collect(phptoken.All(src))
	version := ""
	for i, t := range tokens {
		if t.Kind != phptoken.Variable || t.Text != "wp_version" || !tokens[i+1].Is("=") {
			continue
		}
		text, ok := tokens[i+2].Quoted()
		switch {
		case version != "":
			return "", fmt.Errorf("line %d: $wp_version is assigned a second time", t.Line)
		case !ok || !tokens[i+3].Is(";"):
			return "", fmt.Errorf("line %d: $wp_version is not a plain text", t.Line)
		case !plainVersion.MatchString(text):
			return "", fmt.Errorf("line %d: $wp_version is %.60q, which is not a version", t.Line, text)
		}
		version = text
	}
	if version == "" {
		return "", errors.New("it assigns nothing to $wp_version")
	}
	return version, nil
}

// plugins reads the headers of plugins' main files.
func (r *reader) plugins(plugins place, files []string) map[string]Plugin {
	found := map[string]Plugin{}
	for _, file := range files {
		data, err := r.head(plugins, file, headerSize)
		if errors.Is(err, fs.ErrNotExist) {
			r.warn(r.label(plugins, file), "it does not exist, although the plugin is active")
		}
		if err == nil {
			found[file] = Plugin{Name: header(data, "Plugin Name"), Version: header(data, "Version")}
		}
	}
	return found
}

// header returns the value of a header in the comment at the start of a plugin or theme.
func header(data []byte, name string) string {
	line := regexp.MustCompile(`(?im)^(?:[ \t]*<\?php)?[ \t/*#@]*` + regexp.QuoteMeta(name) + `:(.*)$`)
	m := line.FindStringSubmatch(strings.ReplaceAll(string(data), "\r", "\n"))
	if m == nil {
		return ""
	}
	value, _, _ := strings.Cut(m[1], "*/")
	value, _, _ = strings.Cut(value, "?>")
	return strings.TrimSpace(strings.ToValidUTF8(value, "?"))
}
