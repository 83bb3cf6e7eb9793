package compat

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
		return writeLine(l.w, e.Header)
	case e.Case != nil:
		return writeLine(l.w, l.redactCase(e.Case))
	case l.keep:
		return writeLine(l.w, e.Exchange)
	}
	return writeLine(l.w, redact(e.Exchange, nil))
}

func (l *linesWriter) redactCase(c *Case) *Case {
	if l.keep {
		return c
	}
	out := *c
	out.Steps = make([]Step, len(c.Steps))
	for i, step := range c.Steps {
		x := redact(c.Exchange(i), nil)
		step.Request, step.Response, step.Noise = x.Request, x.Response, x.Noise
		out.Steps[i] = step
	}
	return &out
}

func (l *linesWriter) close() error { return nil }

func writeLine(w io.Writer, value any) error {
	data, err := marshalPlain(value)
	if err != nil {
		return fmt.Errorf("line cannot be written: %w", err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
