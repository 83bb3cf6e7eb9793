package settings

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"calbridge/rest/cachetag"
)

// setter parses and stores a value.
type setter struct {
	apply  func(string) error
	values []string // all permitted values, or nil if any value is permitted
}

// kind parses values of one kind.
type kind[T any] func(string) (T, error)

// into returns a setter that parses a value with read and stores it in *to.
func into[T any](to *T, read kind[T]) setter {
	return setter{apply: func(v string) error {
		value, err := read(v)
		if err == nil {
			*to = value
		}
		return err
	}}
}

// intoOneOf returns a setter that accepts only the given values.
func intoOneOf[T ~string](to *T, values ...T) setter {
	s := into(to, oneOf(values...))
	for _, v := range values {
		s.values = append(s.values, string(v))
	}
	return s
}

func text(v string) (string, error) { return v, nil }

func boolean(v string) (bool, error) {
	switch strings.ToLower(v) {
	case "true", "1", "yes", "on":
		return true, nil
	case "false", "0", "no", "off":
		return false, nil
	}
	return false, fmt.Errorf("%q is not a boolean; use true or false", v)
}

func number[T int | int64](least, most T) kind[T] {
	return func(v string) (T, error) {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < int64(least) || n > int64(most) {
			return 0, fmt.Errorf("%q is not a number between %d and %d", v, least, most)
		}
		return T(n), nil
	}
}

func oneOf[T ~string](values ...T) kind[T] {
	return func(v string) (T, error) {
		if slices.Contains(values, T(v)) {
			return T(v), nil
		}
		names := make([]string, len(values))
		for i, value := range values {
			names[i] = string(value)
		}
		return "", fmt.Errorf("%q is not one of %s", v, strings.Join(names, ", "))
	}
}

func duration(least, most time.Duration) kind[time.Duration] {
	return func(v string) (time.Duration, error) {
		d, err := time.ParseDuration(v)
		if err != nil || d < least || d > most {
			return 0, fmt.Errorf("%q is not a duration between %s and %s; use a value such as 10s or 500ms", v, least, most)
		}
		return d, nil
	}
}

func instant(v string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, v)
	if err != nil {
		return t, fmt.Errorf("%q is not a date and time; use RFC 3339, such as 2026-11-21T12:00:00Z", v)
	}
	return t, nil
}

// size parses a number of bytes, with or without a unit.
func size(v string) (int64, error) {
	digits := strings.TrimRight(strings.ToLower(v), "kmgib ")
	unit, ok := map[string]int64{"": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mib": 1 << 20, "g": 1 << 30, "gib": 1 << 30}[strings.TrimSpace(strings.ToLower(v)[len(digits):])]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !ok || n < 1 || n > (1<<40)/unit {
		return 0, fmt.Errorf("%q is not a size; use a number of bytes or a unit, such as 65536 or 8MiB", v)
	}
	return n * unit, nil
}

// sizeOrNone parses a size or 0.
func sizeOrNone(v string) (int64, error) {
	if v == "0" {
		return 0, nil
	}
	return size(v)
}

func address(v string) (string, error) {
	_, port, err := net.SplitHostPort(v)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil || port == "" {
		return "", fmt.Errorf("%q is not an address; use host:port or :port, such as 127.0.0.1:8080 or :8080", v)
	}
	return v, nil
}

func addressOrOff(v string) (string, error) {
	if v == "off" {
		return "", nil
	}
	return address(v)
}

func prefixes(v string) ([]netip.Prefix, error) {
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
			return nil, fmt.Errorf("%q is not a network; use CIDR notation or an IP address, such as 10.0.0.0/8 or ::1", part)
		}
		list = append(list, p.Masked())
	}
	return list, nil
}

// path parses part of a URL's path. It removes slashes at both ends.
func path(v string) (string, error) {
	v = strings.Trim(v, "/")
	if v == "" || strings.ContainsAny(v, "?#% \t\r\n\"'<>\\") {
		return "", fmt.Errorf("%q is not a path; use a value such as calendar/events/v1", v)
	}
	return v, nil
}

func webURL(v string) (string, error) {
	u, err := url.Parse(v)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q is not a URL; use http:// or https:// and a host, such as https://example.org", v)
	}
	return v, nil
}

func release(v string) (string, error) {
	parts := strings.Split(v, ".")
	odd := func(part string) bool { _, err := strconv.ParseUint(part, 10, 16); return err != nil }
	if len(parts) < 2 || len(parts) > 3 || slices.ContainsFunc(parts, odd) {
		return "", fmt.Errorf("%q is not a version; use two or three numbers, such as 6.9 or 6.9.1", v)
	}
	return v, nil
}

// languageCodes parses language codes separated by commas.
func languageCodes(v string) ([]string, error) {
	var codes []string
	for code := range strings.SplitSeq(v, ",") {
		code = strings.TrimSpace(code)
		odd := strings.ContainsFunc(code, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' })
		if odd || len(code) < 2 || len(code) > 7 || slices.Contains(codes, code) {
			return nil, fmt.Errorf("%q is not a list of language codes; separate them by commas, such as cs,en,de", v)
		}
		codes = append(codes, code)
	}
	return codes, nil
}

// names parses names separated by commas.
func names(v string) ([]string, error) {
	var list []string
	for name := range strings.SplitSeq(v, ",") {
		name = strings.TrimSpace(name)
		if name == "" || strings.ContainsAny(name, " \t[]<>") {
			return nil, fmt.Errorf("%q is not a list of names; separate them by commas, such as one,two", v)
		}
		list = append(list, name)
	}
	return list, nil
}

// tagFormats parses names of headers for cache tags, separated by commas.
func tagFormats(v string) ([]cachetag.Format, error) {
	var list []cachetag.Format
	for name := range strings.SplitSeq(v, ",") {
		format, err := oneOf(cachetag.Formats()...)(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		if !slices.Contains(list, format) {
			list = append(list, format)
		}
	}
	return list, nil
}

func tagPrefix(v string) (string, error) {
	if !cachetag.CheckPrefix(v) {
		return "", fmt.Errorf("%q is not a prefix of tags; use at most %d of a-z, 0-9, - and _, such as cal-", v, cachetag.MaxPrefix)
	}
	return v, nil
}

// hostNames parses host names without ports, separated by commas. "*" stands for any name.
func hostNames(v string) ([]string, error) {
	list, err := names(v)
	odd := func(name string) bool { return name != "*" && strings.ContainsAny(name, "*:/@?#") }
	if err != nil || slices.ContainsFunc(list, odd) {
		return nil, fmt.Errorf("%q is not a list of host names without ports, such as calbridge,calbridge.example.org", v)
	}
	return list, nil
}

// rate parses a number of requests per second, possibly with a fraction.
func rate(v string) (float64, error) {
	n, err := strconv.ParseFloat(v, 64)
	if err != nil || !(n >= 0 && n <= 1e6) {
		return 0, fmt.Errorf("%q is not a rate; use requests per second, such as 20 or 0.5", v)
	}
	return n, nil
}

// percent parses a number from 0 to 100, possibly with a fraction.
func percent(v string) (float64, error) {
	n, err := strconv.ParseFloat(strings.TrimSuffix(v, "%"), 64)
	if err != nil || !(n >= 0 && n <= 100) {
		return 0, fmt.Errorf("%q is not a percentage; use a number between 0 and 100", v)
	}
	return n, nil
}

// revisions parses the number of revisions to keep. 0 means all; a negative number means none.
func revisions(v string) (int, error) {
	switch strings.ToLower(v) {
	case "all", "true", "-1":
		return 0, nil
	case "none", "false", "0", "":
		return -1, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < -1 {
		return 0, fmt.Errorf("%q is not a number of revisions; use a number, all or none", v)
	}
	return n, nil
}
