package schema

import "calbridge/wpstore/ddl"

// indexedLength is how much of a long text an index holds.
const indexedLength = 191

// wordpressTables are the twelve tables of a single site.
func wordpressTables() []ddl.Table {
	return []ddl.Table{
		{
			Name: "posts",
			Columns: []ddl.Column{
				autoID("ID"),
				reference("post_author"),
				datetime("post_date"),
				datetime("post_date_gmt"),
				longText("post_content", "longtext"),
				longText("post_title", "text"),
				longText("post_excerpt", "text"),
				varchar("post_status", "20", "publish"),
				varchar("comment_status", "20", "open"),
				varchar("ping_status", "20", "open"),
				varchar("post_password", "255", ""),
				varchar("post_name", "200", ""),
				longText("to_ping", "text"),
				longText("pinged", "text"),
				datetime("post_modified"),
				datetime("post_modified_gmt"),
				longText("post_content_filtered", "longtext"),
				reference("post_parent"),
				varchar("guid", "255", ""),
				integer("menu_order", "int(11)", "0"),
				varchar("post_type", "20", "post"),
				varchar("post_mime_type", "100", ""),
				integer("comment_count", "bigint(20)", "0"),
			},
			Keys: []ddl.Key{
				primary("ID"),
				indexStart("post_name", indexedLength, "post_name"),
				index("type_status_date", "post_type", "post_status", "post_date", "ID"),
				index("post_parent", "post_parent"),
				index("post_author", "post_author"),
				index("type_status_author", "post_type", "post_status", "post_author"),
			},
		},
		metaTable("postmeta", "meta_id", "post_id"),
		{
			Name: "options",
			Columns: []ddl.Column{
				autoID("option_id"),
				varchar("option_name", "191", ""),
				longText("option_value", "longtext"),
				varchar("autoload", "20", "yes"),
			},
			Keys: []ddl.Key{primary("option_id"), unique("option_name", "option_name"), index("autoload", "autoload")},
		},
		{
			Name: "terms",
			Columns: []ddl.Column{
				autoID("term_id"),
				varchar("name", "200", ""),
				varchar("slug", "200", ""),
				integer("term_group", "bigint(10)", "0"),
			},
			Keys: []ddl.Key{
				primary("term_id"),
				indexStart("slug", indexedLength, "slug"),
				indexStart("name", indexedLength, "name"),
			},
		},
		{
			Name: "term_taxonomy",
			Columns: []ddl.Column{
				autoID("term_taxonomy_id"),
				reference("term_id"),
				varchar("taxonomy", "32", ""),
				longText("description", "longtext"),
				reference("parent"),
				integer("count", "bigint(20)", "0"),
			},
			Keys: []ddl.Key{
				primary("term_taxonomy_id"),
				unique("term_id_taxonomy", "term_id", "taxonomy"),
				index("taxonomy", "taxonomy"),
			},
		},
		{
			Name: "term_relationships",
			Columns: []ddl.Column{
				reference("object_id"),
				reference("term_taxonomy_id"),
				integer("term_order", "int(11)", "0"),
			},
			Keys: []ddl.Key{
				primary("object_id", "term_taxonomy_id"),
				index("term_taxonomy_id", "term_taxonomy_id"),
			},
		},
		metaTable("termmeta", "meta_id", "term_id"),
		{
			Name: "users",
			Columns: []ddl.Column{
				autoID("ID"),
				varchar("user_login", "60", ""),
				varchar("user_pass", "255", ""),
				varchar("user_nicename", "50", ""),
				varchar("user_email", "100", ""),
				varchar("user_url", "100", ""),
				datetime("user_registered"),
				varchar("user_activation_key", "255", ""),
				integer("user_status", "int(11)", "0"),
				varchar("display_name", "250", ""),
			},
			Keys: []ddl.Key{
				primary("ID"),
				index("user_login_key", "user_login"),
				index("user_nicename", "user_nicename"),
				index("user_email", "user_email"),
			},
		},
		metaTable("usermeta", "umeta_id", "user_id"),
		{
			Name: "comments",
			Columns: []ddl.Column{
				autoID("comment_ID"),
				reference("comment_post_ID"),
				longText("comment_author", "tinytext"),
				varchar("comment_author_email", "100", ""),
				varchar("comment_author_url", "200", ""),
				varchar("comment_author_IP", "100", ""),
				datetime("comment_date"),
				datetime("comment_date_gmt"),
				longText("comment_content", "text"),
				integer("comment_karma", "int(11)", "0"),
				varchar("comment_approved", "20", "1"),
				varchar("comment_agent", "255", ""),
				varchar("comment_type", "20", "comment"),
				reference("comment_parent"),
				reference("user_id"),
			},
			Keys: []ddl.Key{
				primary("comment_ID"),
				index("comment_post_ID", "comment_post_ID"),
				index("comment_approved_date_gmt", "comment_approved", "comment_date_gmt"),
				index("comment_date_gmt", "comment_date_gmt"),
				index("comment_parent", "comment_parent"),
				indexStart("comment_author_email", 10, "comment_author_email"),
			},
		},
		metaTable("commentmeta", "meta_id", "comment_id"),
		{
			Name: "links",
			Columns: []ddl.Column{
				autoID("link_id"),
				varchar("link_url", "255", ""),
				varchar("link_name", "255", ""),
				varchar("link_image", "255", ""),
				varchar("link_target", "25", ""),
				varchar("link_description", "255", ""),
				varchar("link_visible", "20", "Y"),
				integer("link_owner", "bigint(20) unsigned", "1"),
				integer("link_rating", "int(11)", "0"),
				datetime("link_updated"),
				varchar("link_rel", "255", ""),
				longText("link_notes", "mediumtext"),
				varchar("link_rss", "255", ""),
			},
			Keys: []ddl.Key{primary("link_id"), index("link_visible", "link_visible")},
		},
	}
}

// metaTable is one of the four tables of named values.
func metaTable(name, id, object string) ddl.Table {
	return ddl.Table{
		Name: name,
		Columns: []ddl.Column{
			autoID(id),
			reference(object),
			nullable("meta_key", "varchar(255)"),
			nullable("meta_value", "longtext"),
		},
		Keys: []ddl.Key{
			primary(id),
			index(object, object),
			indexStart("meta_key", indexedLength, "meta_key"),
		},
	}
}
