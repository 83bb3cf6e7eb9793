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
			args = append(args, "-X", ShellQuote(r.Method))
		}
	}
	header := func(name, value string) { args = append(args, "-H", ShellQuote(name+": "+value)) }
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
			args = append(args, "-H", ShellQuote(name+";")) // an empty header, as curl spells it
		default:
			header(name, value)
		}
	}
	if as != "" && as != recording.Anonymous {
		args = append(args, "-u", ShellQuote(as)) // curl prompts for the password
	}
	if r.Body != nil {
		args = append(args, "--data-binary", ShellQuote(*r.Body))
	}
	return strings.Join(append(args, ShellQuote(strings.TrimSuffix(target, "/")+recording.RedactQuery(r.Path))), " ")
}

// ShellQuote quotes a text with single quotes if a shell would not take it literally.
func ShellQuote(text string) string {
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@,+%") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
