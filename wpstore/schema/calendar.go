package schema

import "calbridge/wpstore/ddl"

// calendarTables returns the tables of The Events Calendar: the dates of each event, and
// those of each of its occurrences. The free plugin creates one occurrence for each event.
// Lists are filtered and ordered by the occurrences.
func calendarTables() []ddl.Table {
	touched := column(ddl.Column{Name: "updated_at", Type: "timestamp", Default: "CURRENT_TIMESTAMP", TouchOnUpdate: true})
	duration := column(ddl.Column{Name: "duration", Type: "mediumint(30)", Default: "7200"})
	return []ddl.Table{
		table("tec_events",
			autoID("event_id"),
			required("bigint(20) unsigned", "post_id"),
			required("varchar(19)", "start_date"),
			nullable("varchar(19)", "end_date"),
			varchar("30", "UTC", "timezone"),
			required("varchar(19)", "start_date_utc"),
			nullable("varchar(19)", "end_date_utc"),
			duration,
			touched,
			required("varchar(40)", "hash"),
			primary("event_id"), unique("post_id", "post_id")),
		table("tec_occurrences",
			autoID("occurrence_id"),
			required("bigint(20) unsigned", "event_id", "post_id"),
			required("datetime", "start_date", "start_date_utc", "end_date", "end_date_utc"),
			duration,
			required("varchar(40)", "hash"),
			touched,
			primary("occurrence_id"),
			unique("hash", "hash"),
			index("event_id", "event_id"),
			index("idx_wp_tec_occurrences_post_id_dates", "post_id", "end_date", "start_date"),
			index("idx_wp_tec_occurrences_post_id_dates_utc", "post_id", "end_date_utc", "start_date_utc"),
		),
	}
}
