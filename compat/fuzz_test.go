package compat

import (
	"bytes"
	"testing"

	"calbridge/compat/compattest"
	"calbridge/compat/diff"
	"calbridge/compat/profile"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
)

func FuzzReadLines(f *testing.F) {
	f.Add([]byte(compattest.CaseLine))
	f.Add([]byte(`{"id":"a","as":"x","request":{"method":"GET","path":"/wp-json/tribe/events/v1/events/5?id=1e99","headers":{"a":"b"},"body":"{}"},"response":{"status":404,"headers":{},"body":"{\"code\":\"c\",\"message\":\"m 5\",\"data\":{\"params\":{\"a\":\"b\"},\"details\":[]}}"},"noise":["$.a[0].id"]}`))
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := profile.NewBuilder("")
		recording.ReadLines(bytes.NewReader(data), "fuzz", func(e recording.Entry) error {
			switch {
			case e.Exchange != nil:
				b.Add(e.Exchange)
				replay.Differ{Level: diff.LevelBytes}.Diff(e.Exchange, e.Exchange.Response, recording.Response{Body: "{}"}, false)
				replay.RequestBytes(e.Exchange.Request, "h", "https", "")
			case e.Case != nil:
				b.Add(e.Case.Exchange(0))
			}
			return nil
		})
		b.Profile()
	})
}
