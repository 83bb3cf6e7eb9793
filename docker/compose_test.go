package docker_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// compose holds the parts of compose.yaml that the tests check.
type compose struct {
	Services map[string]struct {
		Image string
		Build *struct {
			Context, Dockerfile string
		}
		Command     []string
		Environment map[string]string
		Secrets     []string
		Volumes     []string
		Ports       []string
		ReadOnly    bool   `json:"read_only"`
		MemLimit    string `json:"mem_limit"`
		PidsLimit   int    `json:"pids_limit"`
		Logging     struct {
			Driver  string
			Options map[string]string
		}
		CapDrop     []string `json:"cap_drop"`
		Healthcheck struct {
			Test    []string
			Disable bool
		}
		DependsOn map[string]struct{ Condition string } `json:"depends_on"`
	}
	Secrets map[string]struct{ File string }
	Volumes map[string]any
}

// loadYAML reads YAML through Python, because Go's standard library has no parser.
func loadYAML(t *testing.T, path string, into any) {
	t.Helper()
	python := ""
	for _, candidate := range []string{"/usr/bin/python3", "python3"} { // Debian's package is for Debian's Python
		if exec.Command(candidate, "-c", "import yaml").Run() == nil {
			python = candidate
			break
		}
	}
	if python == "" {
		missing(t, "Python with yaml (python3-yaml) is not installed")
	}
	out := output(t, python, "-c", "import json,sys,yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))", path)
	if err := json.Unmarshal([]byte(out), into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func TestCompose(t *testing.T) {
	var c compose
	loadYAML(t, "compose.yaml", &c)
	for _, name := range []string{"mariadb", "calendar", "calbridge", "prometheus", "grafana"} {
		if _, ok := c.Services[name]; !ok {
			t.Errorf("there is no service %s", name)
		}
	}
	for name, s := range c.Services {
		if s.Image == "" || strings.HasSuffix(s.Image, ":latest") {
			t.Errorf("%s: image %q", name, s.Image)
		}
		if s.Build != nil {
			if _, err := os.Stat(filepath.Join(s.Build.Context, s.Build.Dockerfile)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if len(s.Healthcheck.Test) == 0 && !s.Healthcheck.Disable {
			t.Errorf("%s has no health check", name)
		}
		if name != "mariadb" && (!s.ReadOnly || len(s.CapDrop) != 1 || s.CapDrop[0] != "ALL") {
			t.Errorf("%s is not read-only without capabilities", name)
		}
		if l := s.Logging; l.Driver != "json-file" || l.Options["max-size"] != "20m" || l.Options["max-file"] != "5" {
			t.Errorf("%s keeps logs without the limits that logs.md names: %+v", name, l)
		}
		for variable, value := range s.Environment {
			if file, ok := strings.CutPrefix(value, "/run/secrets/"); ok {
				found := false
				for _, secret := range s.Secrets {
					found = found || secret == file
				}
				if !found {
					t.Errorf("%s: %s names a secret that the service does not have", name, variable)
				}
			} else if strings.Contains(variable, "PASSWORD") && !strings.HasSuffix(variable, "_USE") || strings.Contains(variable, "DSN") {
				t.Errorf("%s: %s is a secret in clear", name, variable)
			}
		}
		for _, secret := range s.Secrets {
			if _, ok := c.Secrets[secret]; !ok {
				t.Errorf("%s: there is no secret %s", name, secret)
			}
		}
		for _, volume := range s.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			if strings.HasPrefix(source, ".") {
				if _, err := os.Stat(source); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			} else if _, ok := c.Volumes[source]; !ok {
				t.Errorf("%s: there is no volume %s", name, source)
			}
		}
		for _, port := range s.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") {
				t.Errorf("%s: port %s is open to the network", name, port)
			}
		}
		for on, how := range s.DependsOn {
			other, ok := c.Services[on]
			if !ok || how.Condition == "service_healthy" && len(other.Healthcheck.Test) == 0 {
				t.Errorf("%s waits for %s (%s), which never comes", name, on, how.Condition)
			}
		}
	}
	// The unit and the container have the same limits.
	service := read(t, "systemd/calbridge.service")
	if s := c.Services["calbridge"]; !strings.Contains(service, "\nMemoryMax="+strings.ToUpper(s.MemLimit)+"\n") || !strings.Contains(service, fmt.Sprintf("\nTasksMax=%d\n", s.PidsLimit)) {
		t.Errorf("mem_limit %s and pids_limit %d are not the unit's limits", s.MemLimit, s.PidsLimit)
	}
	// The provisioning of Prometheus and Grafana refers to services by name.
	if !strings.Contains(read(t, "prometheus/prometheus.yml"), `"calbridge:9464"`) {
		t.Error("Prometheus does not scrape the service calbridge")
	}
	var sources struct {
		Datasources []struct{ UID, Type, URL string }
	}
	loadYAML(t, "grafana/provisioning/datasources/prometheus.yaml", &sources)
	if len(sources.Datasources) != 1 || sources.Datasources[0].URL != "http://prometheus:9090" || sources.Datasources[0].UID != "prometheus" {
		t.Errorf("Grafana's data sources are %+v", sources.Datasources)
	}
	var providers struct {
		Providers []struct{ Options struct{ Path string } }
	}
	loadYAML(t, "grafana/provisioning/dashboards/calbridge.yaml", &providers)
	mounted := "./grafana/dashboards:" + providers.Providers[0].Options.Path + ":ro"
	if v := c.Services["grafana"].Volumes; !strings.Contains(strings.Join(v, " "), mounted) {
		t.Errorf("Grafana's dashboards are not where it looks: %v", v)
	}
}

// TestSecrets creates the secrets of the compose file twice.
func TestSecrets(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "make-secrets")
	if err := os.WriteFile(script, []byte(read(t, "make-secrets")), 0o755); err != nil {
		t.Fatal(err)
	}
	output(t, script)
	var c compose
	loadYAML(t, "compose.yaml", &c)
	before := map[string]string{}
	for name, s := range c.Secrets {
		before[name] = read(t, filepath.Join(dir, s.File))
		if len(before[name]) < 32 {
			t.Errorf("%s is %q", name, before[name])
		}
	}
	output(t, script)
	for name, s := range c.Secrets {
		if read(t, filepath.Join(dir, s.File)) != before[name] {
			t.Errorf("%s changes when the secrets are made again", name)
		}
	}
}
