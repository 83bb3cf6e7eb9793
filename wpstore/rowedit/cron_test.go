package rowedit

import (
	"strings"
	"testing"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

func TestCronEvents(t *testing.T) {
	cron, _ := phpserial.Maybe(`a:2:{i:500;a:1:{s:4:"hook";a:1:{s:32:"40cd750bba9870f18aada2478b24840a";a:3:{s:8:"schedule";b:0;s:4:"args";a:0:{}s:8:"interval";i:5;}}}s:7:"version";i:2;}`).(*php.Array)
	args := php.List(int64(7))
	entry := php.List("x")
	hooks, events := &php.Array{}, &php.Array{}
	events.SetString(cronKey(args), entry)
	hooks.SetString(PublishHook, events)
	cron.Set(php.IntKey(300), hooks)
	sorted := sortedByTime(cron)
	var keys []string
	for k := range sorted.All() {
		keys = append(keys, k.String())
	}
	if got := strings.Join(keys, " "); got != "300 500 version" {
		t.Errorf("order %q", got)
	}
	if removeEvent(sorted, PublishHook, args); sorted.Len() != 2 || sorted.At("300") != nil {
		t.Errorf("the event is still there: %s", phpserial.Serialize(sorted))
	}
}
