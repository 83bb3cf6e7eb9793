package replay

import (
	"maps"
	"slices"
	"strings"

	"calbridge/compat/recording"
)

// CurlLine returns a shell command that repeats a request, as closely as curl can.
// Credentials are left out; the reader has to fill in a login's password.
func CurlLine(target, host, scheme, as string, r recording.Request) string {
	args := []string{"curl", "-sS", "-g", "--path-as-is"}
	if r.Method == "HEAD" {
		args = append(args, "-I")
	} else {
		args = append(args, "-i")
		if r.Method != "GET" || r.Body != nil {
			args = append(args, "-X", shellQuote(r.Method))
		}
	}
	header := func(name, value string) { args = append(args, "-H", shellQuote(name+": "+value)) }
	header("Host", host)
	if scheme == "https" {
		header("X-Forwarded-Proto", scheme)
	}
	if _, sent := r.Header("Accept"); !sent {
		header("Accept", "application/json")
	}
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		value := r.Headers[name]
		switch {
		case recording.SecretHeader(name) && value != "":
			header(name, recording.Redacted)
		case value == "":
			args = append(args, "-H", shellQuote(name+";")) // an empty header, as curl spells it
		default:
			header(name, value)
		}
	}
	if as != "" && as != recording.Anonymous {
		args = append(args, "-u", shellQuote(as)) // curl prompts for the password
	}
	if r.Body != nil {
		args = append(args, "--data-binary", shellQuote(*r.Body))
	}
	return strings.Join(append(args, shellQuote(strings.TrimSuffix(target, "/")+recording.RedactQuery(r.Path))), " ")
}

// shellQuote quotes a text with single quotes if a shell would not take it literally.
func shellQuote(text string) string {
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
