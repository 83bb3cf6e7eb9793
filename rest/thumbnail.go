package rest

import (
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// writeThumbnail sets the picture of a post, or takes it away.
func writeThumbnail(m *wpstore.MetaEdit, id int64) {
	if id != 0 {
		m.Update("_thumbnail_id", php.ToString(id))
	} else {
		m.Delete("_thumbnail_id")
	}
}
