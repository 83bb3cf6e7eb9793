package rowedit

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// PublishHook is the cron event by which WordPress publishes a scheduled post.
const PublishHook = "publish_future_post"

// Cron is the option in which WordPress lists its scheduled events, and what a transaction
// changes in it last.
type Cron struct {
	options *Options
	edits   []func(*php.Array) *php.Array
}

// Schedule makes WordPress run a hook with the given arguments once, at one time only.
func (c *Cron) Schedule(hook string, args *php.Array, at time.Time) {
	c.edit(func(cron *php.Array) *php.Array {
		removeEvent(cron, hook, args)
		cron.Sub(php.ToString(at.Unix())).Sub(hook).SetString(cronKey(args), php.Pairs("schedule", false, "args", args))
		return sortedByTime(cron)
	})
}

// Unschedule removes the event of a hook with the given arguments.
func (c *Cron) Unschedule(hook string, args *php.Array) {
	c.edit(func(cron *php.Array) *php.Array {
		removeEvent(cron, hook, args)
		return cron
	})
}

func (c *Cron) edit(edit func(*php.Array) *php.Array) {
	c.edits = append(c.edits, edit)
}

// Due reports whether Write changes the option.
func (c *Cron) Due() bool { return len(c.edits) > 0 }

// Write writes the changes.
func (c *Cron) Write(ctx context.Context) error {
	edits := c.edits
	c.edits = nil
	if len(edits) == 0 {
		return nil
	}
	stored, err := c.options.Locked(ctx, "cron")
	if err != nil {
		return err
	}
	cron := phpserial.Array(stored)
	if cron == nil {
		cron = php.Pairs("version", int64(2))
	}
	for _, edit := range edits {
		cron = edit(cron)
	}
	if text := phpserial.Serialize(cron); text != stored {
		return c.options.Set(ctx, "cron", text)
	}
	return nil
}

// cronKey names an event of a hook by its arguments.
func cronKey(args *php.Array) string {
	sum := md5.Sum([]byte(phpserial.Serialize(args)))
	return hex.EncodeToString(sum[:])
}

// removeEvent removes all events of a hook with the arguments, and the arrays that this
// leaves empty.
func removeEvent(cron *php.Array, hook string, args *php.Array) {
	for at, v := range cron.All() {
		hooks, ok := v.(*php.Array)
		if !ok || !at.IsInt {
			continue
		}
		if events := hooks.Array(hook); events.Len() > 0 {
			events.Delete(php.KeyOf(cronKey(args)))
			if events.Len() == 0 {
				hooks.Delete(php.KeyOf(hook))
			}
		}
		if hooks.Len() == 0 {
			cron.Delete(at)
		}
	}
}

// sortedByTime sorts events by their times; the version stays at the end.
func sortedByTime(cron *php.Array) *php.Array {
	var keys []php.Key
	for k := range cron.All() {
		keys = append(keys, k)
	}
	slices.SortStableFunc(keys, func(a, b php.Key) int {
		switch {
		case a.IsInt && !b.IsInt:
			return -1
		case b.IsInt && !a.IsInt:
			return 1
		}
		return cmp.Or(cmp.Compare(a.Int, b.Int), strings.Compare(a.Str, b.Str))
	})
	out := &php.Array{}
	for _, k := range keys {
		v, _ := cron.Get(k)
		out.Set(k, v)
	}
	return out
}
