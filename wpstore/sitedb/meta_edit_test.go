package sitedb

import (
	"slices"
	"strings"
	"testing"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// TestMetaEdit checks what each change leaves behind, bookkeeping included.
func TestMetaEdit(t *testing.T) {
	stored := func() []editedMeta {
		return []editedMeta{{id: 1, key: "_EventCost", value: "10"}, {id: 2, key: "_EventCost", value: "20"}, {id: 3, key: "_EventURL", value: ""}}
	}
	for _, tt := range []struct {
		name    string
		change  func(*MetaEdit)
		rows    string // key=value, new and changed ones marked
		gone    []int64
		touched string
	}{
		{"nothing", func(*MetaEdit) {}, "_EventCost=10 _EventCost=20 _EventURL=", nil, ""},
		{"update all rows of a key", func(m *MetaEdit) { m.Update("_EventCost", "20") },
			"_EventCost=20* _EventCost=20 _EventURL= _tribe_modified_fields=…*", nil, "_EventCost"},
		{"the same value", func(m *MetaEdit) { m.Update("_EventURL", "") }, "_EventCost=10 _EventCost=20 _EventURL=", nil, ""},
		{"an equal number", func(m *MetaEdit) { m.DeleteValue("_EventCost", "20"); m.modified = nil; m.Update("_EventCost", "10.0") },
			"_EventCost=10.0* _EventURL= _tribe_modified_fields=…*", []int64{2}, "_EventCost"},
		{"add where there is none", func(m *MetaEdit) { m.Update("_EventOrigin", "x") },
			"_EventCost=10 _EventCost=20 _EventURL= _EventOrigin=x* _tribe_modified_fields=…*", nil, "_EventOrigin"},
		{"add once", func(m *MetaEdit) { m.AddOnce("_EventURL", "x") }, "_EventCost=10 _EventCost=20 _EventURL=", nil, ""},
		{"delete and add", func(m *MetaEdit) { m.Delete("_EventCost"); m.Add("_EventCost", "") },
			"_EventURL= _tribe_modified_fields=…* _EventCost=*", []int64{1, 2}, "_EventCost"},
		{"delete what is not there", func(m *MetaEdit) { m.Delete("_thumbnail_id") }, "_EventCost=10 _EventCost=20 _EventURL=", nil, ""},
		{"never the lock", func(m *MetaEdit) { m.Add("_edit_lock", "1") }, "_EventCost=10 _EventCost=20 _EventURL= _edit_lock=1*", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMetaEdit(7, stored(), 100, true)
			tt.change(m)
			var rows []string
			touched := ""
			for _, r := range m.rows {
				value := r.value
				if r.key == modifiedKey {
					a, _ := phpserial.Maybe(value).(*php.Array)
					for k := range a.All() {
						touched += k.String()
					}
					value = "…"
				}
				if r.changed {
					value += "*"
				}
				rows = append(rows, r.key+"="+value)
			}
			if got := strings.Join(rows, " "); got != tt.rows {
				t.Errorf("rows %q, want %q", got, tt.rows)
			}
			if !slices.Equal(m.gone, tt.gone) || touched != tt.touched {
				t.Errorf("gone %v, touched %q; want %v, %q", m.gone, touched, tt.gone, tt.touched)
			}
		})
	}
}

func TestCutSlug(t *testing.T) {
	for _, tt := range []struct {
		slug string
		most int
		want string
	}{
		{"abc", 5, "abc"},
		{"abc-def", 4, "abc"},
		{"%c5%be%c5%be", 8, "%c5%be"},
		{"%c5%be%c5%be", 12, "%c5%be%c5%be"},
		{"%zz%zz%zz", 4, "%zz%"},
		{"a-%f0%9f%8e%89", 6, "a"},
	} {
		if got := cutSlug(tt.slug, tt.most); got != tt.want {
			t.Errorf("cutSlug(%q, %d) = %q, want %q", tt.slug, tt.most, got, tt.want)
		}
	}
}

func FuzzCutSlug(f *testing.F) {
	f.Add("a-%f0%9f%8e%89", 6)
	f.Add("%", 0)
	f.Fuzz(func(t *testing.T, slug string, most int) {
		if most < 0 || most > 1000 {
			return
		}
		if got := cutSlug(slug, most); len(got) > most && len(slug) > most {
			t.Errorf("cutSlug(%q, %d) = %q is too long", slug, most, got)
		}
	})
}

func TestSameText(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"a b", " a  b\n", true}, {"a\r\nb", "a\n\nb", true}, {"a b", "a\nb", false}, {"", "", true}, {"a", "b", false},
	} {
		if got := sameText(tt.a, tt.b); got != tt.same {
			t.Errorf("sameText(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}

func TestCronEvents(t *testing.T) {
	cron, _ := phpserial.Maybe(`a:2:{i:500;a:1:{s:4:"hook";a:1:{s:32:"40cd750bba9870f18aada2478b24840a";a:3:{s:8:"schedule";b:0;s:4:"args";a:0:{}s:8:"interval";i:5;}}}s:7:"version";i:2;}`).(*php.Array)
	args := php.List(int64(7))
	entry := php.List("x")
	hooks, events := &php.Array{}, &php.Array{}
	events.SetString(cronKey(args), entry)
	hooks.SetString(publishHook, events)
	cron.Set(php.IntKey(300), hooks)
	sorted := sortedByTime(cron)
	var keys []string
	for k := range sorted.All() {
		keys = append(keys, k.String())
	}
	if got := strings.Join(keys, " "); got != "300 500 version" {
		t.Errorf("order %q", got)
	}
	if left := withoutEvent(sorted, publishHook, args); left.Len() != 2 || left.At("300") != nil {
		t.Errorf("the event is still there: %s", phpserial.Serialize(left))
	}
}
