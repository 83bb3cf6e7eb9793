package wpauth

import (
	"testing"
	"time"

	"calbridge/wpstore/php"
)

func appItem(pairs ...php.Value) *php.Array {
	item := &php.Array{}
	for i := 0; i < len(pairs); i += 2 {
		item.SetString(pairs[i].(string), pairs[i+1])
	}
	return item
}

func TestMatchApplicationPassword(t *testing.T) {
	const fast = "$generic$-r4FB5NrhNs1VZlhj9uMueqVu30SZqjhd5q-NUtA"
	items := &php.Array{}
	items.Set(php.IntKey(0), "junk")
	items.Set(php.IntKey(1), appItem("uuid", "a"))
	items.Set(php.IntKey(2), appItem("uuid", "b", "password", "$P$BtOh5EL/.Mf6WbjGdDtzl/S680mmou1"))
	items.Set(php.IntKey(5), appItem("uuid", "c", "password", fast))
	items.Set(php.IntKey(7), appItem("uuid", "d", "password", fast))

	key, item, ok := MatchApplicationPassword(items, "abcd 1234 EFGH 5678 ijkl 9012")
	if !ok || key != php.IntKey(5) || item.At("uuid") != "c" {
		t.Errorf("first fitting item: %v %v %v", key, item, ok)
	}
	if key, _, ok := MatchApplicationPassword(items, "password"); !ok || key != php.IntKey(2) {
		t.Errorf("old hash: %v %v", key, ok)
	}
	for _, none := range []php.Value{items, nil, false, "x", (*php.Array)(nil)} {
		if _, _, ok := MatchApplicationPassword(none, "wrong"); ok {
			t.Errorf("%v: matched", none)
		}
	}
}

func TestRecordUse(t *testing.T) {
	now := time.Unix(1795262400, 0)
	tests := []struct {
		name string
		last php.Value
		due  bool
	}{
		{"never", nil, true},
		{"a day ago", int64(1795262400 - 86400), true},
		{"less than a day ago", int64(1795262400 - 86399), false},
		{"in the future", int64(1795262401), false},
		{"text", "1795262400", false},
	}
	for _, tt := range tests {
		items := &php.Array{}
		items.Set(php.IntKey(3), "junk")
		items.Set(php.IntKey(1), appItem("uuid", "a", "last_used", tt.last, "last_ip", nil, "extra", true))
		updated, due := RecordUse(items, php.IntKey(1), now, "192.0.2.1")
		if due != tt.due {
			t.Errorf("%s: due %v", tt.name, due)
		}
		if !due {
			if updated != items {
				t.Errorf("%s: copied", tt.name)
			}
			continue
		}
		if old, _ := items.Get(php.IntKey(1)); old.(*php.Array).At("last_ip") != nil {
			t.Errorf("%s: the original changed", tt.name)
		}
		var keys string
		for k := range updated.All() {
			keys += k.String() + " "
		}
		v, _ := updated.Get(php.IntKey(1))
		for k := range v.(*php.Array).All() {
			keys += k.String() + " "
		}
		if keys != "3 1 uuid last_used last_ip extra " {
			t.Errorf("%s: keys %q", tt.name, keys)
		}
		if item := v.(*php.Array); item.At("last_used") != now.Unix() || item.At("last_ip") != "192.0.2.1" {
			t.Errorf("%s: %v %v", tt.name, item.At("last_used"), item.At("last_ip"))
		}
	}
	if _, due := RecordUse(php.List("junk"), php.IntKey(0), now, ""); due {
		t.Error("an item that is no array")
	}
	if _, due := RecordUse(nil, php.IntKey(0), now, ""); due {
		t.Error("nothing stored")
	}
}
