package rowedit_test

import (
	"testing"
	"time"

	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/wptest/rowtest"
)

// cronOption is what WordPress stores for an event of a hook at 500.
const (
	sweep      = `i:500;a:1:{s:5:"sweep";a:1:{s:32:"40cd750bba9870f18aada2478b24840a";a:3:{s:8:"schedule";b:0;s:4:"args";a:0:{}s:8:"interval";i:5;}}}`
	cronOption = `a:2:{` + sweep + `s:7:"version";i:2;}`
	// publish7 is the event of post 7: its key is the MD5 of its serialized arguments.
	publish7 = `a:1:{s:19:"publish_future_post";a:1:{s:32:"d63aca0b7e6237c7964320bd7fc95644";a:2:{s:8:"schedule";b:0;s:4:"args";a:1:{i:0;i:7;}}}}`
)

func TestCron(t *testing.T) {
	rows := rowtest.Rows(t)
	o := rows.Options
	cron := rows.Cron
	stored := func(step, want string, err error) {
		t.Helper()
		got, readErr := o.Locked(t.Context(), "cron")
		if err != nil || readErr != nil || got != want {
			t.Errorf("%s: %v %v\n%s\nwant\n%s", step, err, readErr, got, want)
		}
	}
	at := func(seconds int64) error {
		cron.Schedule(rowedit.PublishHook, php.List(int64(7)), time.Unix(seconds, 0))
		return rows.Finish(t.Context())
	}
	stored("no option yet", `a:2:{i:300;`+publish7+`s:7:"version";i:2;}`, at(300))
	if err := o.Set(t.Context(), "cron", cronOption); err != nil {
		t.Fatal(err)
	}
	stored("before", `a:3:{i:300;`+publish7+sweep+`s:7:"version";i:2;}`, at(300))
	stored("moved behind", `a:3:{`+sweep+`i:700;`+publish7+`s:7:"version";i:2;}`, at(700))
	stored("moved to the time of another", `a:2:{i:500;a:2:{`+sweep[len(`i:500;a:1:{`):len(sweep)-1]+publish7[len(`a:1:{`):]+`s:7:"version";i:2;}`, at(500))
	unschedule := func() error {
		cron.Unschedule(rowedit.PublishHook, php.List(int64(7)))
		return rows.Finish(t.Context())
	}
	stored("removed", cronOption, unschedule())
	stored("removed again", cronOption, unschedule())
}
