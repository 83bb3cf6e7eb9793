package schema

import "calbridge/wpstore/ddl"

// LanguageTables are, of the two dozen tables of WPML, those about languages and
// about what is a translation of what, and the records of translators' jobs that
// saving a post touches.
func LanguageTables() []ddl.Table {
	return append([]ddl.Table{
		{
			Name: "icl_languages",
			Columns: []ddl.Column{
				counted("id", "int(11)"),
				required("code", "varchar(7)"),
				required("english_name", "varchar(128)"),
				integer("major", "tinyint(4)", "0"),
				required("active", "tinyint(4)"),
				nullable("default_locale", "varchar(35)"),
				nullable("tag", "varchar(35)"),
				integer("encode_url", "tinyint(1)", "0"),
				nullable("country", "varchar(10)"),
			},
			Keys: []ddl.Key{primary("id"), unique("code", "code"), unique("english_name", "english_name")},
		},
		{
			Name: "icl_languages_translations",
			Columns: []ddl.Column{
				counted("id", "int(11)"),
				required("language_code", "varchar(7)"),
				required("display_language_code", "varchar(7)"),
				required("name", "varchar(255)"),
			},
			Keys: []ddl.Key{primary("id"), unique("language_code", "language_code", "display_language_code")},
		},
		{
			// Rows of the same trid are translations of each other; the original is
			// the one without a source.
			Name: "icl_translations",
			Columns: []ddl.Column{
				counted("translation_id", "bigint(20)"),
				varchar("element_type", "60", "post_post"),
				nullable("element_id", "bigint(20)"),
				required("trid", "bigint(20)"),
				required("language_code", "varchar(7)"),
				nullable("source_language_code", "varchar(7)"),
			},
			Keys: []ddl.Key{
				primary("translation_id"),
				unique("trid_lang", "trid", "language_code"),
				unique("el_type_id", "element_type", "element_id"),
				index("trid", "trid"),
				index("id_type_language", "element_id", "element_type", "language_code"),
			},
		},
	}, wpmlJobTables()...)
}

// wpmlJobTables say how far a translation is, and hold its texts.
func wpmlJobTables() []ddl.Table {
	written := ddl.Column{Name: "timestamp", Type: "timestamp", NotNull: true, Default: "current_timestamp()"}
	return []ddl.Table{
		{
			Name: "icl_translation_status",
			Columns: []ddl.Column{
				counted("rid", "bigint(20)"),
				required("translation_id", "bigint(20)"),
				required("status", "tinyint(4)"),
				required("translator_id", "bigint(20)"),
				required("needs_update", "tinyint(4)"),
				required("md5", "varchar(32)"),
				required("translation_service", "varchar(16)"),
				integer("batch_id", "int(11)", "0"),
				longText("translation_package", "longtext"),
				written,
				integer("links_fixed", "tinyint(4)", "0"),
				nullable("_prevstate", "longtext"),
				nullable("uuid", "varchar(36)"),
				nullable("tp_id", "int(11)"),
				integer("tp_revision", "int(11)", "1"),
				nullable("ts_status", "text"),
				nullable("review_status", "enum('NEEDS_REVIEW','EDITING','ACCEPTED')"),
				optional("ate_comm_retry_count", "int(11) unsigned"),
			},
			Keys: []ddl.Key{primary("rid"), unique("translation_id", "translation_id"), index("review_status", "review_status")},
		},
		{
			Name: "icl_translate_job",
			Columns: []ddl.Column{
				autoID("job_id"),
				required("rid", "bigint(20) unsigned"),
				required("translator_id", "int(10) unsigned"),
				integer("translated", "tinyint(3) unsigned", "0"),
				required("manager_id", "int(10) unsigned"),
				nullable("revision", "int(10) unsigned"),
				nullable("title", "varchar(160)"),
				nullable("deadline_date", "datetime"),
				nullable("completed_date", "datetime"),
				nullable("editor", "varchar(16)"),
				nullable("editor_job_id", "bigint(20) unsigned"),
				nullable("edit_timestamp", "int(11) unsigned"),
				integer("automatic", "tinyint(3) unsigned", "0"),
				optional("ate_sync_count", "int(6) unsigned"),
			},
			Keys: []ddl.Key{primary("job_id"), index("rid", "rid", "translator_id")},
		},
		{
			Name: "icl_translate",
			Columns: []ddl.Column{
				autoID("tid"),
				required("job_id", "bigint(20) unsigned"),
				required("content_id", "bigint(20) unsigned"),
				written,
				required("field_type", "varchar(160)"),
				required("field_wrap_tag", "varchar(16)"),
				required("field_format", "varchar(16)"),
				required("field_translate", "tinyint(4)"),
				longText("field_data", "longtext"),
				longText("field_data_translated", "longtext"),
				integer("field_finished", "tinyint(4)", "0"),
			},
			Keys: []ddl.Key{primary("tid"), index("job_id", "job_id")},
		},
		{
			Name: "icl_translation_batches",
			Columns: []ddl.Column{
				counted("id", "int(11)"),
				longText("batch_name", "text"),
				nullable("tp_id", "int(11)"),
				nullable("ts_url", "text"),
				nullable("last_update", "datetime"),
			},
			Keys: []ddl.Key{primary("id")},
		},
	}
}

// counted is an automatic id of another type than WordPress's.
func counted(name, sqlType string) ddl.Column {
	return ddl.Column{Name: name, Type: sqlType, NotNull: true, AutoIncrement: true}
}

// optional is a number that is 0 unless given, and may be NULL.
func optional(name, sqlType string) ddl.Column {
	return ddl.Column{Name: name, Type: sqlType, Default: "0"}
}
