// Command kubernetes decodes manifests strictly with the Go types of Kubernetes and of the Prometheus
// operator, and prints the kind of each object. Its modules have a build list of their own.
//
//	go run -modfile=.ci/kubernetes.mod ./.ci/kubernetes FILE…
package main

import (
	"bytes"
	"fmt"
	"os"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	for _, name := range os.Args[1:] {
		if err := decodeFile(name); err != nil {
			fmt.Fprintf(os.Stderr, "kubernetes: %s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

func decodeFile(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		kind, err := decode(document)
		if err != nil {
			return err
		}
		fmt.Println(kind)
	}
	return nil
}

// decode decodes an object. Unknown and repeated fields are errors.
func decode(document []byte) (kind string, err error) {
	var of struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	if err := yaml.Unmarshal(document, &of); err != nil {
		return "", err
	}
	kind = of.APIVersion + " " + of.Kind
	object := objects()[kind]
	if object == nil {
		return "", fmt.Errorf("%q is not a kind that this command decodes", kind)
	}
	if err := yaml.UnmarshalStrict(document, object); err != nil {
		return "", fmt.Errorf("%s: %w", kind, err)
	}
	return kind, nil
}

// objects returns an empty object of each kind.
func objects() map[string]any {
	return map[string]any{
		"v1 Service": &core.Service{}, "v1 ServiceAccount": &core.ServiceAccount{}, "apps/v1 Deployment": &apps.Deployment{},
		"policy/v1 PodDisruptionBudget": &policy.PodDisruptionBudget{}, "monitoring.coreos.com/v1 ServiceMonitor": &monitoring.ServiceMonitor{},
	}
}
