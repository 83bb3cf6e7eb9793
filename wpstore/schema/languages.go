package schema

import "calbridge/wpstore/ddl"

// LanguageTables returns some of WPML's two dozen tables: those about languages and
// translations, and the records of translators' jobs that saving a post changes.
func LanguageTables() []ddl.Table {
	return append([]ddl.Table{
		table("icl_languages",
			autoIDOf("int(11)", "id"),
			required("varchar(7)", "code"),
			required("varchar(128)", "english_name"),
			integer("tinyint(4)", "0", "major"),
			required("tinyint(4)", "active"),
			nullable("varchar(35)", "default_locale", "tag"),
			integer("tinyint(1)", "0", "encode_url"),
			nullable("varchar(10)", "country"),
			primary("id"), unique("code", "code"), unique("english_name", "english_name")),
		table("icl_languages_translations",
			autoIDOf("int(11)", "id"),
			required("varchar(7)", "language_code", "display_language_code"),
			required("varchar(255)", "name"),
			primary("id"), unique("language_code", "language_code", "display_language_code")),
		// Rows of the same trid are translations of each other; the original is the one
		// without a source.
		table("icl_translations",
			autoIDOf("bigint(20)", "translation_id"),
			varchar("60", "post_post", "element_type"),
			nullable("bigint(20)", "element_id"),
			required("bigint(20)", "trid"),
			required("varchar(7)", "language_code"),
			nullable("varchar(7)", "source_language_code"),
			primary("translation_id"),
			unique("trid_lang", "trid", "language_code"),
			unique("el_type_id", "element_type", "element_id"),
			index("trid", "trid"),
			index("id_type_language", "element_id", "element_type", "language_code"),
		),
	}, wpmlJobTables()...)
}

// wpmlJobTables returns the tables with the progress of translations and their texts.
func wpmlJobTables() []ddl.Table {
	written := column(ddl.Column{Name: "timestamp", Type: "timestamp", NotNull: true, Default: "current_timestamp()"})
	return []ddl.Table{
		table("icl_translation_status",
			autoIDOf("bigint(20)", "rid"),
			required("bigint(20)", "translation_id"),
			required("tinyint(4)", "status"),
			required("bigint(20)", "translator_id"),
			required("tinyint(4)", "needs_update"),
			required("varchar(32)", "md5"),
			required("varchar(16)", "translation_service"),
			integer("int(11)", "0", "batch_id"),
			required("longtext", "translation_package"),
			written,
			integer("tinyint(4)", "0", "links_fixed"),
			nullable("longtext", "_prevstate"),
			nullable("varchar(36)", "uuid"),
			nullable("int(11)", "tp_id"),
			integer("int(11)", "1", "tp_revision"),
			nullable("text", "ts_status"),
			nullable("enum('NEEDS_REVIEW','EDITING','ACCEPTED')", "review_status"),
			optional("int(11) unsigned", "0", "ate_comm_retry_count"),
			primary("rid"), unique("translation_id", "translation_id"), index("review_status", "review_status")),
		table("icl_translate_job",
			autoID("job_id"),
			required("bigint(20) unsigned", "rid"),
			required("int(10) unsigned", "translator_id"),
			integer("tinyint(3) unsigned", "0", "translated"),
			required("int(10) unsigned", "manager_id"),
			nullable("int(10) unsigned", "revision"),
			nullable("varchar(160)", "title"),
			nullable("datetime", "deadline_date", "completed_date"),
			nullable("varchar(16)", "editor"),
			nullable("bigint(20) unsigned", "editor_job_id"),
			nullable("int(11) unsigned", "edit_timestamp"),
			integer("tinyint(3) unsigned", "0", "automatic"),
			optional("int(6) unsigned", "0", "ate_sync_count"),
			primary("job_id"), index("rid", "rid", "translator_id")),
		table("icl_translate",
			autoID("tid"),
			required("bigint(20) unsigned", "job_id", "content_id"),
			written,
			required("varchar(160)", "field_type"),
			required("varchar(16)", "field_wrap_tag", "field_format"),
			required("tinyint(4)", "field_translate"),
			required("longtext", "field_data", "field_data_translated"),
			integer("tinyint(4)", "0", "field_finished"),
			primary("tid"), index("job_id", "job_id")),
		table("icl_translation_batches",
			autoIDOf("int(11)", "id"),
			required("text", "batch_name"),
			nullable("int(11)", "tp_id"),
			nullable("text", "ts_url"),
			nullable("datetime", "last_update"),
			primary("id")),
	}
}
