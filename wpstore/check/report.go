package check

import "fmt"

// Status is the severity of a finding.
type Status string

// The statuses, from good to bad: only a failure prevents serving.
const (
	StatusOK   Status = "ok"
	StatusWarn Status = "warn"
	StatusFail Status = "fail"
)

// Finding is the outcome of one check.
type Finding struct {
	Name   string `json:"name"` // "database.grants"
	Status Status `json:"status"`
	Found  string `json:"found"`
	Advice string `json:"advice,omitempty"` // may be several lines
	// Details holds what the finding sums up, for `check --json`; nil if there is nothing.
	Details any `json:"details,omitempty"`
}

// Report has the findings in the order of the checks.
type Report []Finding

// Worst returns the worst status of the report; that of an empty one is ok.
func (r Report) Worst() Status {
	worst := StatusOK
	for _, f := range r {
		if f.Status == StatusFail || f.Status == StatusWarn && worst == StatusOK {
			worst = f.Status
		}
	}
	return worst
}

func (r *Report) ok(name, found string, args ...any) {
	*r = append(*r, Finding{Name: name, Status: StatusOK, Found: fmt.Sprintf(found, args...)})
}

func (r *Report) warn(name, advice, found string, args ...any) {
	*r = append(*r, Finding{Name: name, Status: StatusWarn, Found: fmt.Sprintf(found, args...), Advice: advice})
}

func (r *Report) fail(name, advice, found string, args ...any) {
	*r = append(*r, Finding{Name: name, Status: StatusFail, Found: fmt.Sprintf(found, args...), Advice: advice})
}
