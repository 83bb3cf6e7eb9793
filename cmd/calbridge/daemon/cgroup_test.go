package daemon

import (
	"testing"
	"testing/fstest"
)

func TestAllowed(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  int64 // 0 for no limit
	}{
		"systemd": {map[string]string{
			"proc/self/cgroup": "0::/system.slice/calbridge.service\n",
			"sys/fs/cgroup/system.slice/calbridge.service/memory.max": "1073741824\n", "sys/fs/cgroup/system.slice/memory.max": "max\n",
		}, 1 << 30},
		"the group above": {map[string]string{
			"proc/self/cgroup": "0::/system.slice/calbridge.service\n",
			"sys/fs/cgroup/system.slice/calbridge.service/memory.max": "max\n", "sys/fs/cgroup/system.slice/memory.max": "536870912\n",
		}, 1 << 29},
		"container":         {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "268435456\n"}, 1 << 28},
		"path from outside": {map[string]string{"proc/self/cgroup": "0::/../../kubepods/pod1/c1\n", "sys/fs/cgroup/memory.max": "268435456\n"}, 1 << 28},
		"version 1": {map[string]string{
			"proc/self/cgroup": "5:cpu,cpuacct:/x\n4:memory:/docker/abc\n0::/\n", "sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": "134217728\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, 1 << 27},
		"none":           {map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n"}, 0},
		"none, by pages": {map[string]string{"proc/self/cgroup": "4:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 0},
		"nonsense":       {map[string]string{"proc/self/cgroup": "x\n0:\n", "sys/fs/cgroup/memory.max": "-5\n"}, 0},
		"no Linux":       {nil, 0},
	} {
		root := fstest.MapFS{}
		for file, text := range c.files {
			root[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if got, ok := Allowed(root); ok != (c.want > 0) || ok && got != c.want {
			t.Errorf("%s: %d %t, want %d", name, got, ok, c.want)
		}
	}
}
