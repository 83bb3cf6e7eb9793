package docker_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestKubernetes decodes the manifests strictly by the Go types of Kubernetes and of the Prometheus
// operator, and compares them with the image and the program.
func TestKubernetes(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	files, err := filepath.Glob("kubernetes/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	args := []string{"run", "-modfile=.ci/kubernetes.mod", "./.ci/kubernetes"}
	wrong := write(t, t.TempDir(), "wrong.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {port: 80}\n")
	for _, c := range []struct {
		name  string
		files []string
		want  string
		fails bool
	}{
		{name: "ours", files: files, want: "v1 ServiceAccount\napps/v1 Deployment\npolicy/v1 PodDisruptionBudget\nv1 Service\nv1 Service\nmonitoring.coreos.com/v1 ServiceMonitor\n"},
		{name: "unknown field", files: []string{wrong}, want: `unknown field "port"`, fails: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			here := c.files
			if !c.fails {
				here = nil
				for _, file := range c.files {
					here = append(here, "docker/"+file)
				}
			}
			cmd := exec.CommandContext(t.Context(), "go", append(args, here...)...)
			cmd.Dir = ".."
			out, err := cmd.CombinedOutput()
			if (err != nil) != c.fails || !strings.Contains(string(out), c.want) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	text := read(t, "kubernetes/calbridge.yaml")
	help := output(t, binary(t), "serve", "--help", "all")
	for _, m := range regexp.MustCompile(`name: CALBRIDGE_([A-Z_]+?)(?:_FILE)?,`).FindAllStringSubmatch(text, -1) {
		if flag := "--" + strings.ToLower(strings.ReplaceAll(m[1], "_", "-")); !strings.Contains(help, flag) {
			t.Errorf("there is no setting %s", flag)
		}
	}
	image := read(t, "Dockerfile")
	for _, port := range regexp.MustCompile(`containerPort: (\d+)`).FindAllStringSubmatch(text, -1) {
		if !regexp.MustCompile(`(?m)^EXPOSE .*\b` + port[1] + `\b`).MatchString(image) {
			t.Errorf("the image does not expose %s", port[1])
		}
	}
	if user := regexp.MustCompile(`runAsUser: (\d+)`).FindStringSubmatch(text); user == nil || !strings.Contains(image, "\nUSER "+user[1]+":") {
		t.Errorf("the image runs as another user than %v", user)
	}
}
