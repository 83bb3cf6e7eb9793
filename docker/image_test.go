package docker_test

import (
	"debug/elf"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"calbridge/cmd/calbridge/buildinfo"
)

// TestImage builds the last stage of the Dockerfile around a binary built here, because
// base images are not available everywhere, and checks the image.
func TestImage(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	buildah := tool(t, "buildah")
	dir := t.TempDir()
	file := imageContext(t, dir)
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
	t.Run("containers", func(t *testing.T) { runImage(t, root, nil) })
	run("umount", container)
	run("rm", container)
}

// imageContext fills a folder from which the image is built, and returns the path of its Dockerfile.
func imageContext(t *testing.T, dir string) string {
	t.Helper()
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
	return write(t, dir, "Dockerfile", "FROM scratch\n"+strings.Replace(last, "--from=build /out/", "out/", 1))
}

// TestImageRootless builds the image as a user without privileges, in a user namespace, and runs it
// as that user.
func TestImageRootless(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	// Not a folder of the test's own, which other users can't read.
	dir, err := os.MkdirTemp("", "calbridge-rootless-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	imageContext(t, dir)
	as := &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Getuid() == 0 {
		const nobody = 65534
		as.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
		if err := errors.Join(os.Chmod(dir, 0o755), os.Chown(dir, nobody, nobody)); err != nil {
			t.Fatal(err)
		}
	}
	// Only one user is mapped, hence ignore_chown_errors.
	build := exec.CommandContext(t.Context(), tool(t, "unshare"), "--user", "--map-root-user", "--mount", "sh", "-ec", `
		buildah() { "$buildah" --root "$HOME/root" --runroot "$HOME/run" --storage-driver vfs --storage-opt vfs.ignore_chown_errors=true "$@"; }
		buildah build --isolation chroot -f Dockerfile -t localhost/calbridge-test . >&2
		cp -r "$(buildah mount "$(buildah from localhost/calbridge-test)")" rootfs
		mkdir -p rootfs/proc # nobody can't make it in a read-only image
		chmod -R u+w root`)
	build.Dir, build.SysProcAttr = dir, as
	build.Env = []string{"PATH=" + os.Getenv("PATH") + ":/usr/sbin", "HOME=" + dir, "XDG_RUNTIME_DIR=" + dir, "buildah=" + tool(t, "buildah")}
	if out, err := build.CombinedOutput(); err != nil {
		optional(t, "CALBRIDGE_REQUIRE_CONTAINERS", "users without privileges can't build images here: %v\n%s", err, out)
	}
	runImage(t, filepath.Join(dir, "rootfs"), as)
}

// runImage runs the image's program in a container as the Dockerfile describes it: a read-only root, no
// capabilities, and its user, or, for a user without privileges, that user alone. It uses each of
// runc and crun that is installed. Some machines have control groups that one or both can't use;
// there, buildah's chroot, in which TestImage runs the program, has to do.
func runImage(t *testing.T, root string, as *syscall.SysProcAttr) {
	t.Helper()
	tool(t, "runc", "crun")
	ran := false
	for _, name := range []string{"runc", "crun"} {
		runtime, err := exec.LookPath(name)
		if err != nil {
			if runtime, err = exec.LookPath("/usr/sbin/" + name); err != nil {
				continue
			}
		}
		bundle, err := os.MkdirTemp("", "calbridge-bundle-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(bundle) })
		const user = 65532
		namespaces := []map[string]string{{"type": "pid"}, {"type": "ipc"}, {"type": "uts"}, {"type": "mount"}, {"type": "network"}}
		process := map[string]any{"args": []string{"/calbridge", "version"}, "cwd": "/", "env": []string{"PATH=/"}, "user": map[string]any{"uid": user, "gid": user}, "noNewPrivileges": true, "capabilities": map[string]any{}}
		linux := map[string]any{}
		if as != nil {
			uid, gid := os.Getuid(), os.Getgid()
			if c := as.Credential; c != nil {
				uid, gid = int(c.Uid), int(c.Gid)
				if err := os.Chown(bundle, uid, gid); err != nil {
					t.Fatal(err)
				}
			}
			namespaces = append(namespaces, map[string]string{"type": "user"})
			process["user"] = map[string]any{"uid": 0, "gid": 0}
			linux["uidMappings"] = []map[string]int{{"containerID": 0, "hostID": uid, "size": 1}}
			linux["gidMappings"] = []map[string]int{{"containerID": 0, "hostID": gid, "size": 1}}
		}
		linux["namespaces"] = namespaces
		text, err := json.Marshal(map[string]any{
			"ociVersion": "1.0.0", "root": map[string]any{"path": root, "readonly": true}, "process": process,
			"mounts": []map[string]any{{"destination": "/proc", "type": "proc", "source": "proc"}}, "linux": linux,
		})
		if err != nil {
			t.Fatal(err)
		}
		write(t, bundle, "config.json", string(text))
		cmd := exec.CommandContext(t.Context(), runtime, "--root", filepath.Join(bundle, "state"), "run", "--bundle", bundle, filepath.Base(bundle))
		cmd.SysProcAttr, cmd.Env = as, append(os.Environ(), "XDG_RUNTIME_DIR="+bundle)
		out, err := cmd.CombinedOutput()
		switch {
		case err != nil:
			t.Logf("%s can't run containers here: %v\n%s", name, err, out)
		case !strings.Contains(string(out), "calbridge "+buildinfo.Version+" "):
			t.Errorf("by %s, version prints %q", name, out)
		default:
			ran = true
			t.Logf("run by %s: %s", name, out)
		}
	}
	if !ran {
		optional(t, "CALBRIDGE_REQUIRE_CONTAINERS", "neither runc nor crun can run containers here")
	}
}
