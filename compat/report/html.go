package report

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	htmltemplate "html/template"
	"io"

	"calbridge/compat/recording"
	"calbridge/compat/replay"
)

// The parts of the page.
var (
	//go:embed page.html
	pageHTML string
	//go:embed style.css
	styleCSS string
	//go:embed diff.js
	diffJS string
	//go:embed script.js
	scriptJS string
)

// maxDetails limits the requests and answers in the HTML report, in bytes after
// compression. Beyond it, cases show their differences without the answers.
const maxDetails = 48 << 20

// caseDetail holds what the report shows when a differing case is opened.
type caseDetail struct {
	Request  detailPart `json:"request"`
	Recorded detailPart `json:"recorded"`
	Got      detailPart `json:"got"`
}

type detailPart struct {
	Status  int                               `json:"status,omitempty"`
	Headers map[string]recording.HeaderValues `json:"headers"`
	Body    string                            `json:"body"`
}

// HTML writes the report as one self-contained HTML file with styles, scripts and data.
// Requests and answers of each differing case are compressed, and decompressed only when
// the case is opened, so that a report of thousands of cases opens quickly. The
// comparison must be made with replay.Options.Details.
func HTML(w io.Writer, r *replay.Report) error {
	page, err := htmltemplate.New("").Parse(pageHTML)
	if err != nil {
		return err
	}
	// The encoder's escapes of <, > and & keep the data inside its element.
	data, err := json.Marshal(documentOf(r))
	if err != nil {
		return err
	}
	details, err := detailsOf(r)
	if err != nil {
		return err
	}
	return page.Execute(w, map[string]any{
		"Title": fmt.Sprintf("%d of %d need a decision · %s", r.Different, r.Compared(), r.Target),
		"Style": htmltemplate.CSS(styleCSS), "Script": htmltemplate.JS(diffJS + scriptJS),
		"Data": htmltemplate.JS(data), "Details": htmltemplate.JS(details),
	})
}

// detailsOf returns a JSON object: number of the case to its packed caseDetail.
func detailsOf(r *replay.Report) ([]byte, error) {
	packed, size := map[int]string{}, 0
	for i := range r.Cases {
		c := &r.Cases[i]
		if c.Request == nil || c.Recorded == nil || size > maxDetails {
			continue
		}
		text, err := pack(c)
		if err != nil {
			return nil, err
		}
		size += len(text)
		packed[i] = text
	}
	return json.Marshal(packed)
}

func pack(r *replay.Result) (string, error) {
	x := recording.Redact(&recording.Exchange{Request: *r.Request, Response: *r.Recorded}, nil)
	detail := caseDetail{
		Request:  detailPart{Headers: map[string]recording.HeaderValues{}, Body: x.Request.BodyText()},
		Recorded: detailPart(x.Response),
	}
	for name, value := range x.Request.Headers {
		detail.Request.Headers[name] = recording.HeaderValues{value}
	}
	if r.Got != nil {
		got := recording.Redact(&recording.Exchange{Response: *r.Got}, nil).Response
		detail.Got = detailPart(got)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if err := json.NewEncoder(z).Encode(detail); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
