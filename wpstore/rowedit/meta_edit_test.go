package rowedit

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
		{"an equal number", func(m *MetaEdit) {
			m.DeleteValue("_EventCost", "20")
			m.written()
			m.modified = nil
			m.Update("_EventCost", "10.0")
		},
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
			for _, r := range m.written() {
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
