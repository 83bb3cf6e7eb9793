package wpauth

import (
	"time"

	"calbridge/wpstore/php"
)

// useInterval is how long WordPress waits before it notes another use.
const useInterval = 24 * time.Hour

// MatchApplicationPassword returns the first of a user's application passwords
// that password fits. items is the unserialized user meta
// _application_passwords; anything but an array holds no passwords.
func MatchApplicationPassword(items php.Value, password string) (key php.Key, item *php.Array, ok bool) {
	list, _ := items.(*php.Array)
	for key, v := range list.All() {
		item, ok := v.(*php.Array)
		if !ok {
			continue
		}
		hash, ok := item.At("password").(string)
		if ok && CheckApplicationPassword(hash, password) {
			return key, item, true
		}
	}
	return php.Key{}, nil, false
}

// RecordUse notes in a copy of items that the one under key was used now from
// the address ip. All other items, their keys and their order stay. due is false,
// and items comes back as it was, when a use was noted within the last 24 hours.
func RecordUse(items *php.Array, key php.Key, now time.Time, ip string) (updated *php.Array, due bool) {
	v, _ := items.Get(key)
	item, ok := v.(*php.Array)
	if !ok || php.ToInt(item.At("last_used")) > now.Unix()-int64(useInterval/time.Second) {
		return items, false
	}
	updated = items.Clone()
	v, _ = updated.Get(key)
	item = v.(*php.Array)
	item.SetString("last_used", now.Unix())
	item.SetString("last_ip", ip)
	return updated, true
}
