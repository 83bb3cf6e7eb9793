package sitedb

import (
	"strconv"

	"calbridge/wpstore"
)

// postColumns are all columns of a row in the order of the table.
func postColumns(p *wpstore.Post) []column {
	return []column{
		{"post_author", p.Author}, {"post_date", p.Date}, {"post_date_gmt", p.DateGMT},
		{"post_content", p.Content}, {"post_title", p.Title}, {"post_excerpt", p.Excerpt},
		{"post_status", p.Status}, {"comment_status", p.CommentStatus}, {"ping_status", p.PingStatus},
		{"post_password", p.Password}, {"post_name", p.Name}, {"to_ping", ""}, {"pinged", ""},
		{"post_modified", p.Modified}, {"post_modified_gmt", p.ModifiedGMT}, {"post_content_filtered", ""},
		{"post_parent", p.Parent}, {"guid", p.GUID}, {"menu_order", p.MenuOrder},
		{"post_type", p.Type}, {"post_mime_type", p.MimeType}, {"comment_count", 0},
	}
}

// keptColumns are set when a post is made and not by a later save.
var keptColumns = map[string]bool{"to_ping": true, "pinged": true, "post_content_filtered": true, "comment_count": true}

// changedColumns are the columns in which two versions of a post differ.
func changedColumns(old, fresh *wpstore.Post) []column {
	before := postColumns(old)
	var out []column
	for i, c := range postColumns(fresh) {
		if c.value != before[i].value && !keptColumns[c.name] {
			out = append(out, c)
		}
	}
	return out
}

func formatID(id int64) string { return strconv.FormatInt(id, 10) }
