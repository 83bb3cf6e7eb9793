package recording

import (
	"fmt"
	"io"
)

type linesWriter struct {
	w    io.Writer
	keep bool
}

func (l *linesWriter) add(e Entry) error {
	switch {
	case e.Header != nil:
		return WriteLine(l.w, e.Header)
	case e.Case != nil:
		return WriteLine(l.w, l.redactCase(e.Case))
	case l.keep:
		return WriteLine(l.w, e.Exchange)
	}
	return WriteLine(l.w, Redact(e.Exchange, nil))
}

func (l *linesWriter) redactCase(c *Case) *Case {
	if l.keep {
		return c
	}
	out := *c
	out.Steps = make([]Step, len(c.Steps))
	for i, step := range c.Steps {
		x := Redact(c.Exchange(i), nil)
		step.Request, step.Response, step.Noise = x.Request, x.Response, x.Noise
		out.Steps[i] = step
	}
	return &out
}

func (l *linesWriter) close() error { return nil }

func WriteLine(w io.Writer, value any) error {
	data, err := MarshalPlain(value)
	if err != nil {
		return fmt.Errorf("line cannot be written: %w", err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
