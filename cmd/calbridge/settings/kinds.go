package settings

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// setter stores a value given as text.
type setter = func(string) error

func text(to *string) setter {
	return func(v string) error {
		*to = v
		return nil
	}
}

// words takes values separated by white space.
func words(to *[]string) setter {
	return func(v string) error {
		*to = strings.Fields(v)
		return nil
	}
}

func boolean(to *bool) setter {
	return func(v string) error {
		b, err := parseBool(v)
		*to = b
		return err
	}
}

func parseBool(v string) (bool, error) {
	switch strings.ToLower(v) {
	case "true", "1", "yes", "on":
		return true, nil
	case "false", "0", "no", "off":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", v)
}

func number[T int | int64](to *T, least, most T) setter {
	return func(v string) error {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < int64(least) || n > int64(most) {
			return fmt.Errorf("%q is no number from %d to %d", v, least, most)
		}
		*to = T(n)
		return nil
	}
}

func oneOf[T ~string](to *T, values ...T) setter {
	return func(v string) error {
		if !slices.Contains(values, T(v)) {
			names := make([]string, len(values))
			for i, value := range values {
				names[i] = string(value)
			}
			return fmt.Errorf("%q is none of %s", v, strings.Join(names, ", "))
		}
		*to = T(v)
		return nil
	}
}

func duration(to *time.Duration, least, most time.Duration) setter {
	return func(v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d < least || d > most {
			return fmt.Errorf("%q is no time from %s to %s, such as 10s or 500ms", v, least, most)
		}
		*to = d
		return nil
	}
}

func instant(to *time.Time) setter {
	return func(v string) error {
		t, err := time.Parse(time.RFC3339, v)
		if err != nil {
			return fmt.Errorf("%q is no moment such as 2026-11-21T12:00:00Z", v)
		}
		*to = t
		return nil
	}
}

// size takes bytes, or a number with one of the units that the name says.
func size(to *int64) setter {
	return func(v string) error {
		digits := strings.TrimRight(strings.ToLower(v), "kmgib ")
		unit, ok := map[string]int64{"": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mib": 1 << 20, "g": 1 << 30, "gib": 1 << 30}[strings.TrimSpace(strings.ToLower(v)[len(digits):])]
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || !ok || n < 1 || n > (1<<40)/unit {
			return fmt.Errorf("%q is no size such as 8MiB or 65536", v)
		}
		*to = n * unit
		return nil
	}
}

// sizeOrNone takes 0 as well.
func sizeOrNone(to *int64) setter {
	set := size(to)
	return func(v string) error {
		if v == "0" {
			*to = 0
			return nil
		}
		return set(v)
	}
}

func address(to *string) setter {
	return func(v string) error {
		_, port, err := net.SplitHostPort(v)
		if err == nil {
			_, err = net.LookupPort("tcp", port)
		}
		if err != nil || port == "" {
			return fmt.Errorf("%q is no address such as 127.0.0.1:8080 or :8080", v)
		}
		*to = v
		return nil
	}
}

func addressOrOff(to *string) setter {
	set := address(to)
	return func(v string) error {
		if v == "off" {
			*to = ""
			return nil
		}
		return set(v)
	}
}

func prefixes(to *[]netip.Prefix) setter {
	return func(v string) error {
		var list []netip.Prefix
		for part := range strings.SplitSeq(v, ",") {
			part = strings.TrimSpace(part)
			if part == "" || part == "none" {
				continue
			}
			p, err := netip.ParsePrefix(part)
			if a, e := netip.ParseAddr(part); e == nil {
				p, err = netip.PrefixFrom(a, a.BitLen()), nil
			}
			if err != nil {
				return fmt.Errorf("%q is no network such as 10.0.0.0/8 or ::1", part)
			}
			list = append(list, p.Masked())
		}
		*to = list
		return nil
	}
}

// path is a part of a URL's path, without slashes at its ends.
func path(to *string) setter {
	return func(v string) error {
		v = strings.Trim(v, "/")
		if v == "" || strings.ContainsAny(v, "?#% \t\r\n\"'<>\\") {
			return fmt.Errorf("%q is no path such as calendar/events/v1", v)
		}
		*to = v
		return nil
	}
}

func webURL(to *string) setter {
	return func(v string) error {
		u, err := url.Parse(v)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("%q is no address such as https://example.org", v)
		}
		*to = v
		return nil
	}
}

func release(to *string) setter {
	return func(v string) error {
		parts := strings.Split(v, ".")
		var err error
		for _, part := range parts {
			_, e := strconv.ParseUint(part, 10, 16)
			err = errors.Join(err, e)
		}
		if err != nil || len(parts) < 2 || len(parts) > 3 {
			return fmt.Errorf("%q is no version such as 6.9", v)
		}
		*to = v
		return nil
	}
}

// languageCodes takes codes of languages, separated by commas.
func languageCodes(to *[]string) setter {
	return func(v string) error {
		var codes []string
		for code := range strings.SplitSeq(v, ",") {
			code = strings.TrimSpace(code)
			odd := strings.ContainsFunc(code, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' })
			if odd || len(code) < 2 || len(code) > 7 || slices.Contains(codes, code) {
				return fmt.Errorf("%q is no list of language codes such as cs,en,de", v)
			}
			codes = append(codes, code)
		}
		*to = codes
		return nil
	}
}

// rate reads requests a second: a number, which may have a fraction.
func rate(to *float64) setter {
	return func(v string) error {
		n, err := strconv.ParseFloat(v, 64)
		if err != nil || !(n >= 0 && n <= 1e6) {
			return fmt.Errorf("%q is no rate: write requests a second, such as 20 or 0.5", v)
		}
		*to = n
		return nil
	}
}

// percent reads a share: a number from 0 to 100, which may have a fraction.
func percent(to *float64) setter {
	return func(v string) error {
		n, err := strconv.ParseFloat(strings.TrimSuffix(v, "%"), 64)
		if err != nil || !(n >= 0 && n <= 100) {
			return fmt.Errorf("%q is no share: write a number from 0 to 100", v)
		}
		*to = n
		return nil
	}
}

// names reads words that are separated by commas.
func names(to *[]string) setter {
	return func(v string) error {
		var list []string
		for name := range strings.SplitSeq(v, ",") {
			if name = strings.TrimSpace(name); name == "" || strings.ContainsAny(name, " \t[]<>") {
				return fmt.Errorf("%q is no list of names such as one,two", v)
			}
			list = append(list, name)
		}
		*to = list
		return nil
	}
}

// revisions reads how many revisions of a post are kept.
func revisions(to *int) setter {
	return func(v string) error {
		switch strings.ToLower(v) {
		case "all", "true", "-1":
			*to = 0
		case "none", "false", "0", "":
			*to = -1
		default:
			n, err := strconv.Atoi(v)
			if err != nil || n < -1 {
				return fmt.Errorf("%q is neither a number nor all nor none", v)
			}
			*to = n
		}
		return nil
	}
}
