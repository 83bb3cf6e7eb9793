package rowedit

import (
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

// Cron is WordPress's list of events to come, an option.
type Cron struct{ Options Options }

// Schedule makes WordPress run a hook with arguments once, instead of at any other
// time.
func (c Cron) Schedule(ctx context.Context, hook string, args *php.Array, at time.Time) error {
	return c.edit(ctx, func(cron *php.Array) *php.Array {
		cron = withoutEvent(cron, hook, args)
		entry := &php.Array{}
		entry.SetString("schedule", false)
		entry.SetString("args", args)
		key := php.IntKey(at.Unix())
		hooks, _ := cron.Clone().At(php.ToString(at.Unix())).(*php.Array)
		if hooks == nil {
			hooks = &php.Array{}
		}
		events, _ := hooks.At(hook).(*php.Array)
		if events == nil {
			events = &php.Array{}
		}
		events.SetString(cronKey(args), entry)
		hooks.SetString(hook, events)
		cron.Set(key, hooks)
		return sortedByTime(cron)
	})
}

// Unschedule takes the event of a hook with arguments back.
func (c Cron) Unschedule(ctx context.Context, hook string, args *php.Array) error {
	return c.edit(ctx, func(cron *php.Array) *php.Array { return withoutEvent(cron, hook, args) })
}

func (c Cron) edit(ctx context.Context, edit func(*php.Array) *php.Array) error {
	stored, err := c.Options.Locked(ctx, "cron")
	if err != nil {
		return err
	}
	cron := phpserial.Array(stored)
	if cron == nil {
		cron = &php.Array{}
		cron.SetString("version", int64(2))
	}
	if text := phpserial.Serialize(edit(cron.Clone())); text != stored {
		return c.Options.Set(ctx, "cron", text)
	}
	return nil
}

// cronKey names an event of a hook by its arguments.
func cronKey(args *php.Array) string {
	sum := md5.Sum([]byte(phpserial.Serialize(args)))
	return hex.EncodeToString(sum[:])
}

// withoutEvent removes all events of a hook with the arguments, and what they
// leave empty.
func withoutEvent(cron *php.Array, hook string, args *php.Array) *php.Array {
	out := &php.Array{}
	for at, v := range cron.All() {
		hooks, ok := v.(*php.Array)
		if !ok || !at.IsInt {
			out.Set(at, v)
			continue
		}
		if events, ok := hooks.At(hook).(*php.Array); ok {
			if _, ok := events.Lookup(cronKey(args)); ok {
				events.Delete(php.KeyOf(cronKey(args)))
				if events.Len() == 0 {
					hooks.Delete(php.KeyOf(hook))
				}
			}
		}
		if hooks.Len() > 0 {
			out.Set(at, hooks)
		}
	}
	return out
}

// sortedByTime sorts events by their times; the version stays at the end.
func sortedByTime(cron *php.Array) *php.Array {
	type slot struct {
		key   php.Key
		value php.Value
	}
	var slots []slot
	for k, v := range cron.All() {
		slots = append(slots, slot{k, v})
	}
	slices.SortStableFunc(slots, func(a, b slot) int {
		switch {
		case a.key.IsInt && b.key.IsInt:
			switch {
			case a.key.Int < b.key.Int:
				return -1
			case a.key.Int > b.key.Int:
				return 1
			}
			return 0
		case a.key.IsInt:
			return -1
		case b.key.IsInt:
			return 1
		}
		return strings.Compare(a.key.String(), b.key.String())
	})
	out := &php.Array{}
	for _, s := range slots {
		out.Set(s.key, s.value)
	}
	return out
}
