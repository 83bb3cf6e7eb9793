package check

import "fmt"

// Status says how a finding bears on serving.
type Status string

// The statuses of findings, from good to bad: a warning lets serving go on, a
// failure does not.
const (
	StatusOK   Status = "ok"
	StatusWarn Status = "warn"
	StatusFail Status = "fail"
)

// Finding is the outcome of one check.
type Finding struct {
	Name   string `json:"name"` // "database.grants"
	Status Status `json:"status"`
	Found  string `json:"found"`            // what there is
	Advice string `json:"advice,omitempty"` // what to do; may be several lines
}

// Report is the outcome of all checks, in the order they were made.
type Report []Finding

// Worst is the worst status of the report, ok for an empty one.
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
