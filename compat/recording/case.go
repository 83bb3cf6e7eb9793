package recording

import (
	"fmt"
)

// Case is one recorded write: steps sent in order to a site in its pristine
// state, and what they changed in its tables.
type Case struct {
	ID    string `json:"id"`
	As    string `json:"as"`
	Steps []Step `json:"steps"`
	// Rows is the difference between the pristine database and the one after the
	// last step, by table. Tables that did not change are absent.
	Rows map[string]TableChange `json:"rows"`
	// Noise names values in Rows that differed between two recordings, as
	// "rows.<table>.inserted[n].column".
	Noise []string `json:"noise,omitempty"`

	File string `json:"-"`
	Line int    `json:"-"`
}

// Step is one request of a case. As, when set, replaces the case's login; Noise
// is about this step's answer.
type Step struct {
	Request  Request  `json:"request"`
	Response Response `json:"response"`
	As       string   `json:"as,omitempty"`
	Noise    []string `json:"noise,omitempty"`
}

// Exchange converts a step into the form of a read, so that both can be processed alike.
// The id contains the step's number if the case has several.
func (c *Case) Exchange(step int) *Exchange {
	s := c.Steps[step]
	as := s.As
	if as == "" {
		as = c.As
	}
	id := c.ID
	if len(c.Steps) > 1 {
		id = fmt.Sprintf("%s/%d", c.ID, step+1)
	}
	return &Exchange{ID: id, As: as, Request: s.Request, Response: s.Response, Noise: s.Noise, File: c.File, Line: c.Line}
}

// Row is a database row or a part of one: column to value. Integer columns hold
// json.Number, the others text or nil.
type Row map[string]any

// TableChange is what a case did to one table.
type TableChange struct {
	Inserted []Row       `json:"inserted,omitempty"`
	Updated  []RowUpdate `json:"updated,omitempty"`
	Deleted  []Row       `json:"deleted,omitempty"`
}

// RowUpdate is a changed row: its primary key and the changed columns only.
type RowUpdate struct {
	Key    Row `json:"key"`
	Before Row `json:"before"`
	After  Row `json:"after"`
	// OptionName names the row of the options table, whose key is a number.
	OptionName string `json:"option_name,omitempty"`
}
