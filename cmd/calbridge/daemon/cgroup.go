package daemon

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// unlimited is the smallest value that cgroup v1 reports for "no limit".
const unlimited = math.MaxInt64 / 2

// Allowed returns how many bytes of memory the kernel permits the process: the lowest limit of
// its control group and of the groups above. systemd's MemoryMax and containers set such
// limits. ok is false if there is no limit. root is the root of the file system.
func Allowed(root fs.FS) (bytes int64, ok bool) {
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0, false
	}
	bytes = unlimited
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // id, controllers and path
		if len(parts) < 3 {
			continue
		}
		switch {
		case parts[0] == "0" && parts[1] == "":
			bytes = min(bytes, lowest(root, "sys/fs/cgroup", parts[2], "memory.max"))
		case parts[1] == "memory":
			bytes = min(bytes, lowest(root, "sys/fs/cgroup/memory", parts[2], "memory.limit_in_bytes"))
		}
	}
	return bytes, bytes < unlimited
}

// lowest returns the lowest limit of a group and of the groups above. In a container, the path
// may be the one outside the container; then only the root of the mount exists.
func lowest(root fs.FS, mount, group, file string) int64 {
	bytes := int64(unlimited)
	for group = path.Clean("/" + group); ; group = path.Dir(group) {
		data, err := fs.ReadFile(root, path.Join(mount, group, file))
		if n, e := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64); err == nil && e == nil && n > 0 {
			bytes = min(bytes, n)
		}
		if group == "/" {
			return bytes
		}
	}
}
