package schema

import "calbridge/wpstore/ddl"

// calendarTables are the tables that The Events Calendar keeps beside the posts:
// the dates of each event, and those of each of its occurrences, of which the
// free plugin makes one. Lists are filtered and ordered by the occurrences.
func calendarTables() []ddl.Table {
	touched := ddl.Column{Name: "updated_at", Type: "timestamp", Default: "CURRENT_TIMESTAMP", TouchOnUpdate: true}
	duration := ddl.Column{Name: "duration", Type: "mediumint(30)", Default: "7200"}
	return []ddl.Table{
		{
			Name: "tec_events",
			Columns: []ddl.Column{
				autoID("event_id"),
				required("post_id", "bigint(20) unsigned"),
				required("start_date", "varchar(19)"),
				nullable("end_date", "varchar(19)"),
				varchar("timezone", "30", "UTC"),
				required("start_date_utc", "varchar(19)"),
				nullable("end_date_utc", "varchar(19)"),
				duration,
				touched,
				required("hash", "varchar(40)"),
			},
			Keys: []ddl.Key{primary("event_id"), unique("post_id", "post_id")},
		},
		{
			Name: "tec_occurrences",
			Columns: []ddl.Column{
				autoID("occurrence_id"),
				required("event_id", "bigint(20) unsigned"),
				required("post_id", "bigint(20) unsigned"),
				required("start_date", "datetime"),
				required("start_date_utc", "datetime"),
				required("end_date", "datetime"),
				required("end_date_utc", "datetime"),
				duration,
				required("hash", "varchar(40)"),
				touched,
			},
			Keys: []ddl.Key{
				primary("occurrence_id"),
				unique("hash", "hash"),
				index("event_id", "event_id"),
				index("idx_wp_tec_occurrences_post_id_dates", "post_id", "end_date", "start_date"),
				index("idx_wp_tec_occurrences_post_id_dates_utc", "post_id", "end_date_utc", "start_date_utc"),
			},
		},
	}
}
