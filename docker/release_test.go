package docker_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/buildinfo"
)

// release runs .ci/release in the folder of a repository and returns the folder with the
// release.
func release(t *testing.T, repository string, archs ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "release")
	cmd := exec.CommandContext(t.Context(), filepath.Join(repository, ".ci", "release"), append([]string{dir}, archs...)...)
	// The user's settings must not matter. Root's PATH has buildah.
	cmd.Env = append(os.Environ(), "TZ=Asia/Tokyo", "GOAMD64=v3", "LANG=C.UTF-8", "PATH="+os.Getenv("PATH")+":/usr/sbin")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf(".ci/release: %v\n%s", err, tail(string(out), 4000))
	}
	return dir
}

// cloned returns a copy of the repository at another path, with what is not committed.
func cloned(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clone")
	output(t, "git", "clone", "--quiet", "--shared", "..", dir)
	changed := output(t, "git", "-C", "..", "ls-files", "-z", "--modified", "--others", "--exclude-standard")
	for name := range strings.SplitSeq(strings.TrimSuffix(changed, "\x00"), "\x00") {
		if name == "" {
			continue
		}
		source, err := filepath.Abs(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		output(t, "install", "-D", "--mode=755", source, filepath.Join(dir, name))
	}
	return dir
}

// TestRelease builds releases with .ci/release, from two folders, and installs, upgrades and
// removes the packages. With CALBRIDGE_LONG=1 it does so for all architectures.
func TestRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	for _, name := range []string{"buildah", "dpkg-deb", "rpm", "unshare", "nsenter", "chroot"} {
		tool(t, name)
	}
	archs := []string{runtime.GOARCH}
	if os.Getenv("CALBRIDGE_LONG") == "1" {
		archs = []string{"amd64", "arm64"}
	}
	dir := release(t, "..", archs...)
	prefix := filepath.Join(dir, "calbridge_"+buildinfo.Version+"_linux_"+runtime.GOARCH)
	unpacked := t.TempDir()
	output(t, "tar", "-xzf", prefix+".tar.gz", "-C", unpacked)
	program := filepath.Join(unpacked, "usr", "bin", "calbridge")

	t.Run("files", func(t *testing.T) {
		want := []string{"SHA256SUMS", "calbridge_" + buildinfo.Version + "_oci.tar"}
		for _, arch := range archs {
			for _, kind := range []string{"cdx.json", "deb", "rpm", "tar.gz"} {
				want = append(want, "calbridge_"+buildinfo.Version+"_linux_"+arch+"."+kind)
			}
		}
		slices.Sort(want)
		if got := names(t, dir); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		check := exec.CommandContext(t.Context(), "sha256sum", "--check", "--strict", "SHA256SUMS")
		check.Dir = dir
		if out, err := check.CombinedOutput(); err != nil || strings.Count(string(out), ": OK\n") != len(want)-1 {
			t.Errorf("sha256sum: %v\n%s", err, out)
		}
	})
	t.Run("reproducible", func(t *testing.T) {
		again := release(t, cloned(t), archs...)
		if first, second := read(t, filepath.Join(dir, "SHA256SUMS")), read(t, filepath.Join(again, "SHA256SUMS")); first != second {
			t.Errorf("two builds differ:\n%s\n%s", first, second)
		}
	})
	t.Run("not into a folder with files", func(t *testing.T) {
		if out, err := exec.CommandContext(t.Context(), "../.ci/release", dir).CombinedOutput(); err == nil || !strings.Contains(string(out), "is not empty") {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("binary", func(t *testing.T) {
		file, err := elf.Open(program)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if libraries, err := file.ImportedLibraries(); err != nil || len(libraries) > 0 || file.Section(".interp") != nil {
			t.Errorf("it is not static: %v, %v", libraries, err)
		}
		revision := strings.TrimSpace(output(t, "git", "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"))
		if got, want := output(t, program, "version"), "calbridge "+buildinfo.Version+" (revision "+revision+", "+runtime.Version()+")\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
	t.Run("components", func(t *testing.T) {
		var bom struct {
			BomFormat string
			Metadata  struct {
				Component struct{ Name, Version string }
			}
			Components []struct{ Name, Version, Purl string }
		}
		if err := json.Unmarshal([]byte(read(t, prefix+".cdx.json")), &bom); err != nil {
			t.Fatal(err)
		}
		if c := bom.Metadata.Component; bom.BomFormat != "CycloneDX" || c.Name != "calbridge" || c.Version != buildinfo.Version {
			t.Errorf("%s of %+v", bom.BomFormat, c)
		}
		listed, licences := map[string]bool{}, read(t, filepath.Join(unpacked, "usr/share/doc/calbridge/third-party-licences.txt"))
		for _, c := range bom.Components {
			listed[c.Name+" "+c.Version] = true
		}
		linked := regexp.MustCompile(`(?m)^\tdep\t(\S+)\t(\S+)`).FindAllStringSubmatch(output(t, "go", "version", "-m", program), -1)
		if len(linked) < 20 {
			t.Fatalf("go version -m names only %q", linked)
		}
		for _, m := range linked {
			if !listed[m[1]+" "+m[2]] {
				t.Errorf("%s %s is not listed", m[1], m[2])
			}
			_, text, _ := strings.Cut(licences, "=== "+m[1]+" "+m[2]+"\n")
			if text, _, _ = strings.Cut(text, "\n=== "); len(text) < 500 {
				t.Errorf("%s: its licence is missing: %q", m[1], text)
			}
		}
	})
	t.Run("image", func(t *testing.T) {
		checkLayout(t, filepath.Join(dir, "calbridge_"+buildinfo.Version+"_oci.tar"), program, archs)
	})
	t.Run("debian package", func(t *testing.T) { tryDebianPackage(t, prefix+".deb") })
	t.Run("rpm", func(t *testing.T) { tryRPM(t, prefix+".rpm", unpacked) })
}

// names returns the names of a folder's files, sorted.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// checkLayout checks the images in an archive with an OCI layout, and runs that of this
// machine.
func checkLayout(t *testing.T, archive, program string, archs []string) {
	dir := t.TempDir()
	output(t, "tar", "-xf", archive, "-C", dir)
	type descriptor struct {
		Digest   string
		Platform struct{ Architecture string }
	}
	blob := func(digest string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, "blobs", "sha256", strings.TrimPrefix(digest, "sha256:")))
		if sum := sha256.Sum256(data); err != nil || "sha256:"+hex.EncodeToString(sum[:]) != digest {
			t.Fatalf("blob %s: %v, or its digest is wrong", digest, err)
		}
		return data
	}
	decode := func(data []byte, into any) {
		if err := json.Unmarshal(data, into); err != nil {
			t.Fatal(err)
		}
	}
	var top, index struct{ Manifests []descriptor }
	decode([]byte(read(t, filepath.Join(dir, "index.json"))), &top)
	if len(top.Manifests) != 1 {
		t.Fatalf("index.json has %+v", top)
	}
	decode(blob(top.Manifests[0].Digest), &index)
	var found []string
	for _, m := range index.Manifests {
		found = append(found, m.Platform.Architecture)
		if m.Platform.Architecture != runtime.GOARCH {
			continue
		}
		var manifest struct {
			Config descriptor
			Layers []descriptor
		}
		decode(blob(m.Digest), &manifest)
		var config struct {
			Config struct {
				User, StopSignal     string
				Entrypoint, Cmd, Env []string
			}
		}
		decode(blob(manifest.Config.Digest), &config)
		if c := config.Config; c.User != "65532:65532" || c.StopSignal != "SIGTERM" || !slices.Equal(c.Entrypoint, []string{"/calbridge"}) || !slices.Equal(c.Cmd, []string{"serve"}) || !slices.Contains(c.Env, "CALBRIDGE_LISTEN=:8080") {
			t.Errorf("%+v", c)
		}
		if len(manifest.Layers) != 1 {
			t.Fatalf("layers: %+v", manifest.Layers)
		}
		root := t.TempDir()
		unpackLayer(t, root, blob(manifest.Layers[0].Digest))
		if got := names(t, root); !slices.Equal(got, []string{"calbridge", "etc"}) {
			t.Errorf("the image has %q", got)
		}
		if read(t, filepath.Join(root, "calbridge")) != read(t, program) {
			t.Error("the image has another binary than the package")
		}
		if os.Getuid() == 0 {
			if err := os.Chmod(root, 0o755); err != nil {
				t.Fatal(err)
			}
			got := output(t, tool(t, "chroot"), "--userspec=65532:65532", root, "/calbridge", "version")
			if !strings.HasPrefix(got, "calbridge "+buildinfo.Version+" ") {
				t.Errorf("the image's binary prints %q", got)
			}
		}
	}
	slices.Sort(found)
	if !slices.Equal(found, archs) {
		t.Errorf("images for %q, want %q", found, archs)
	}
}

// unpackLayer writes the files of a layer below root.
func unpackLayer(t *testing.T, root string, layer []byte) {
	t.Helper()
	unzipped, err := gzip.NewReader(bytes.NewReader(layer))
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(unzipped); ; {
		h, err := files.Next()
		if err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(root, filepath.Clean("/"+h.Name))
		if h.FileInfo().IsDir() {
			err = os.MkdirAll(path, 0o755)
		} else {
			var data []byte
			if data, err = io.ReadAll(files); err == nil {
				if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
					err = os.WriteFile(path, data, h.FileInfo().Mode().Perm())
				}
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
