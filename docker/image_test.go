package docker_test

import (
	"debug/elf"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestImage builds the last stage of the Dockerfile around a binary built here, because
// base images are not available everywhere, and checks the image.
func TestImage(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	buildah := tool(t, "buildah")
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "out", "etc"), 0o755); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(binary(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "out", "calbridge"), data, 0o755); err != nil {
		t.Fatal(err)
	}
	_, last, ok := strings.Cut(read(t, "Dockerfile"), "\nFROM scratch\n")
	if !ok || !strings.Contains(last, "\nCOPY --from=build /out/ /\n") && !strings.HasPrefix(last, "COPY --from=build /out/ /\n") {
		t.Fatal("the Dockerfile's last stage is not scratch with the files of the first")
	}
	file := write(t, dir, "Dockerfile", "FROM scratch\n"+strings.Replace(last, "--from=build /out/", "out/", 1))
	storage := []string{"--root", filepath.Join(dir, "root"), "--runroot", filepath.Join(dir, "run"), "--storage-driver", "vfs"}
	run := func(args ...string) string { t.Helper(); return output(t, buildah, append(storage, args...)...) }
	t.Cleanup(func() { // vfs leaves directories that cannot be written
		_ = filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
			if err == nil && info.IsDir() {
				_ = os.Chmod(path, 0o755)
			}
			return nil
		})
	})
	run("build", "--isolation", "chroot", "--format", "docker", "-f", file, "-t", "calbridge-test", dir)

	var image struct {
		Docker struct {
			Config struct {
				User, StopSignal     string
				Entrypoint, Cmd, Env []string
				ExposedPorts         map[string]any
				Healthcheck          *struct {
					Test     []string
					Timeout  int64
					Interval int64
				}
			} `json:"config"`
		}
	}
	if err := json.Unmarshal([]byte(run("inspect", "--type", "image", "calbridge-test")), &image); err != nil {
		t.Fatal(err)
	}
	c := image.Docker.Config
	if c.User != "65532:65532" || c.StopSignal != "SIGTERM" {
		t.Errorf("user %q, stop signal %q", c.User, c.StopSignal)
	}
	if !slices.Equal(c.Entrypoint, []string{"/calbridge"}) || !slices.Equal(c.Cmd, []string{"serve"}) {
		t.Errorf("entry point %q, command %q", c.Entrypoint, c.Cmd)
	}
	if c.Healthcheck == nil || !slices.Equal(c.Healthcheck.Test, []string{"CMD", "/calbridge", "healthcheck"}) || c.Healthcheck.Interval == 0 || c.Healthcheck.Timeout == 0 {
		t.Errorf("health check %+v", c.Healthcheck)
	}
	for _, port := range []string{"8080/tcp", "9464/tcp"} {
		if _, ok := c.ExposedPorts[port]; !ok {
			t.Errorf("port %s is not exposed: %v", port, c.ExposedPorts)
		}
	}

	container := strings.TrimSpace(run("from", "calbridge-test"))
	root := strings.TrimSpace(run("mount", container))
	binary, err := elf.Open(filepath.Join(root, "calbridge"))
	if err != nil {
		t.Fatal(err)
	}
	defer binary.Close()
	if libraries, err := binary.ImportedLibraries(); err != nil || len(libraries) > 0 {
		t.Errorf("the binary needs %v, %v", libraries, err)
	}
	if binary.Section(".interp") != nil {
		t.Error("the binary is not static")
	}
	if os.Getuid() == 0 {
		// As in the image: its user, and no other files.
		if out := run("run", "--isolation", "chroot", container, "/calbridge", "version"); !strings.HasPrefix(out, "calbridge ") {
			t.Errorf("version says %q", out)
		}
	}
	runImage(t, root)
	run("umount", container)
	run("rm", container)
}

// runImage runs the image's program in a container as the Dockerfile describes it: its user, a
// read-only root, no capabilities. runc or crun needs control groups that it can use.
func runImage(t *testing.T, root string) {
	t.Helper()
	runtime := tool(t, "runc", "crun")
	bundle := t.TempDir()
	config := map[string]any{
		"ociVersion": "1.0.0",
		"root":       map[string]any{"path": root, "readonly": true},
		"process": map[string]any{
			"args": []string{"/calbridge", "version"}, "cwd": "/", "env": []string{"PATH=/"},
			"user": map[string]any{"uid": 65532, "gid": 65532}, "noNewPrivileges": true, "capabilities": map[string]any{},
		},
		"mounts": []map[string]any{{"destination": "/proc", "type": "proc", "source": "proc"}},
		"linux":  map[string]any{"namespaces": []map[string]string{{"type": "pid"}, {"type": "ipc"}, {"type": "uts"}, {"type": "mount"}, {"type": "network"}}},
	}
	text, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	write(t, bundle, "config.json", string(text))
	cmd := exec.CommandContext(t.Context(), runtime, "--root", filepath.Join(bundle, "state"), "run", "--bundle", bundle, "calbridge-"+filepath.Base(filepath.Dir(bundle)))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("%s can't run containers here (the image was run by chroot): %v\n%s", runtime, err, out)
		return
	}
	if !strings.HasPrefix(string(out), "calbridge ") {
		t.Errorf("version prints %q", out)
	}
	t.Logf("run by %s: %s", runtime, out)
}
