package wpml

import (
	"context"
	"crypto/md5"
	"database/sql"
	"encoding/hex"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sqlconn"
)

// coreCategory is the taxonomy of WordPress's own categories.
const coreCategory = "category"

// digest returns the text that WPML compares to detect whether an original has changed
// since it was translated. It is the MD5 of the post's texts, its terms, and the fields
// that are translated or copied once.
func (j jobs) digest(ctx context.Context, p *wpstore.Post) (string, error) {
	stored, err := j.rows.Text(ctx, "wpml.settings", sq.Select("option_value").From(j.rows.Table("options")).
		Where(sq.Eq{"option_name": "icl_sitepress_settings"}))
	if err != nil {
		return "", err
	}
	settings := phpserial.Array(stored)
	var synced []string
	for taxonomy, on := range settings.Array("taxonomies_sync_option").All() {
		if php.ToInt(on) == 1 {
			synced = append(synced, taxonomy.String())
		}
	}
	slices.Sort(synced)
	names, err := j.termNames(ctx, p.ID, append([]string{wpstore.TagTaxonomy, coreCategory}, synced...))
	if err != nil {
		return "", err
	}
	fields, err := j.fields(ctx, p.ID, settings.Array("translation-management").Array("custom_fields_translation"))
	if err != nil {
		return "", err
	}
	parts := []string{p.Title, p.Content, p.Excerpt, names[wpstore.TagTaxonomy], names[coreCategory], fields}
	for _, taxonomy := range synced {
		if list, ok := names[taxonomy]; ok {
			parts = append(parts, "["+taxonomy+"]:"+list)
		}
	}
	text := strings.Join(parts, ";")
	if php.ToString(settings.At("translated_document_page_url")) == "translate" {
		text += p.Name + ";"
	}
	sum := md5.Sum([]byte(text))
	return hex.EncodeToString(sum[:]), nil
}

// termNames returns the names of the terms of a post by taxonomy, sorted and joined.
func (j jobs) termNames(ctx context.Context, post int64, taxonomies []string) (map[string]string, error) {
	found, err := j.terms.PostTerms(ctx, []int64{post}, taxonomies)
	if err != nil {
		return nil, err
	}
	names := map[string][]string{}
	for _, t := range found[post] {
		names[t.Taxonomy] = append(names[t.Taxonomy], t.Name)
	}
	out := map[string]string{}
	for taxonomy, list := range names {
		slices.Sort(list)
		out[taxonomy] = strings.Join(list, ",")
	}
	return out, nil
}

// fields returns the first values of the fields that the settings translate (2) or copy once
// (3), in their order.
func (j jobs) fields(ctx context.Context, post int64, settings *php.Array) (string, error) {
	var keys []string
	for key, how := range settings.All() {
		if n := php.ToInt(how); n == 2 || n == 3 {
			keys = append(keys, key.String())
		}
	}
	if len(keys) == 0 {
		return "", nil
	}
	first := map[string]string{}
	var key string
	var value sql.NullString
	err := j.rows.Query(ctx, "wpml.digest_fields", sq.Select("meta_key", "meta_value").From(j.rows.Table("postmeta")).
		Where(sq.Eq{"post_id": post, "meta_key": keys}).OrderBy("meta_id"), sqlconn.EachRow(func() {
		if _, seen := first[key]; !seen {
			first[key] = value.String
		}
	}, &key, &value))
	values := make([]string, len(keys))
	for i, key := range keys {
		values[i] = first[key]
	}
	return strings.Join(values, ","), err
}
