package sites

import "strings"

// hostOf returns the host of a request as WordPress looks it up: in lower case, without the default
// ports.
func hostOf(host string) string {
	host = strings.ToLower(host)
	for _, port := range []string{":80", ":443"} {
		host = strings.TrimSuffix(host, port)
	}
	return host
}

// candidates returns the addresses that a site may have which answers a host and a path, in the order in
// which they are tried. depth is the number of folders that an address may have. Folders are not
// decoded, and their case doesn't matter.
func candidates(host, path string, depth int) []string {
	hosts := []string{host}
	if bare, ok := strings.CutPrefix(host, "www."); ok {
		hosts = append(hosts, bare)
	}
	folders := strings.Split(strings.ToLower(strings.TrimLeft(path, "/")), "/")
	if len(folders) > depth {
		folders = folders[:depth]
	}
	var all []string
	for _, host := range hosts {
		for n := len(folders); n >= 0; n-- {
			if n > 0 && folders[n-1] == "" {
				continue
			}
			all = append(all, host+"/"+strings.Join(append(folders[:n:n], ""), "/"))
		}
	}
	return all
}

// depthOf returns the number of folders of an address.
func depthOf(address string) int { return strings.Count(address, "/") - 1 }
