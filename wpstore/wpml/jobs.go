package wpml

import (
	"context"
	"encoding/base64"
	"strconv"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// jobs writes WPML's records of translations: their states, their translators, and their
// texts next to those of the original.
type jobs struct {
	rows        *rowedit.Rows
	terms       langplugin.Terms
	rules       langplugin.Rules
	translators translators
}

// States of a translation in icl_translation_status.
const (
	notTranslated = 0
	complete      = 10
)

// needsUpdate records that the original has changed since it was translated.
func (j jobs) needsUpdate(ctx context.Context, original *wpstore.Post, e *element) error {
	if !j.rules.Jobs {
		return nil
	}
	_, err := j.writeStatus(ctx, original, e, notTranslated, 0, 1, "")
	return err
}

// translated records that the user has translated a post, as a job that is complete from
// the start.
func (j jobs) translated(ctx context.Context, original *wpstore.Post, first *element, p *wpstore.Post, e *element) error {
	if !j.rules.Jobs {
		return nil
	}
	rid, err := j.writeStatus(ctx, original, e, complete, j.rows.User, 0, "local")
	if err != nil {
		return err
	}
	if err := j.batch(ctx); err != nil {
		return err
	}
	job, err := j.rows.Number(ctx, "wpml.job", sq.Select("COALESCE(MAX(job_id), 0)").
		From(j.rows.Table("icl_translate_job")).Where(sq.Eq{"rid": rid}))
	if err != nil {
		return err
	}
	if job == 0 {
		user := j.rows.User
		if job, err = j.rows.Add(ctx, "wpml.new_job", "icl_translate_job", rowedit.Columns(
			"rid", rid, "translator_id", user, "translated", 1, "manager_id", user, "title", rowedit.CutText(original.Title, jobTitleSize), "editor", "wp",
		)); err != nil {
			return err
		}
	}
	if err := j.writeFields(ctx, job, original, p); err != nil {
		return err
	}
	if !j.rules.Translator {
		return nil
	}
	return j.translators.add(ctx, first.code, e.code)
}

// jobTitleSize is the size of the title of a job, in characters.
const jobTitleSize = 160

// writeStatus writes the state of a translation and returns the id of the row.
func (j jobs) writeStatus(ctx context.Context, original *wpstore.Post, e *element, status int, translator int64, lags int, service string) (int64, error) {
	pack, err := j.pack(ctx, original)
	if err != nil {
		return 0, err
	}
	digest, err := j.digest(ctx, original)
	if err != nil {
		return 0, err
	}
	columns := rowedit.Columns(
		"status", status, "translator_id", translator, "needs_update", lags, "md5", digest,
		"translation_service", service, "translation_package", phpserial.Serialize(pack),
	)
	rid, err := j.rows.Number(ctx, "wpml.status", sq.Select("rid").From(j.rows.Table("icl_translation_status")).
		Where(sq.Eq{"translation_id": e.translation}))
	if err != nil {
		return 0, err
	}
	if rid == 0 {
		columns = append(columns, rowedit.Columns("translation_id", e.translation, "timestamp", j.rows.UTCTime())...)
		return j.rows.Add(ctx, "wpml.new_status", "icl_translation_status", columns)
	}
	return rid, j.rows.Set(ctx, "wpml.update_status", "icl_translation_status", columns, sq.Eq{"rid": rid})
}

// packedTaxonomies returns the taxonomies whose terms are translated with a post, in WPML's
// order.
func packedTaxonomies() []string {
	return []string{wpstore.TagTaxonomy, priorityTaxonomy, wpstore.CategoryTaxonomy}
}

// pack returns WPML's package for translators: texts and terms of the original.
func (j jobs) pack(ctx context.Context, original *wpstore.Post) (*php.Array, error) {
	contents := php.Pairs("original_id", php.Pairs("translate", int64(0), "data", original.ID))
	add := func(name, text string) {
		contents.SetString(name, php.Pairs("translate", int64(1), "data", encode(text), "format", "base64"))
	}
	add("title", original.Title)
	add("body", original.Content)
	add("excerpt", original.Excerpt)
	terms, err := j.terms.PostTerms(ctx, []int64{original.ID}, packedTaxonomies())
	if err != nil {
		return nil, err
	}
	for _, taxonomy := range packedTaxonomies() {
		for _, t := range terms[original.ID] {
			if t.Taxonomy == taxonomy {
				add("t_"+strconv.FormatInt(t.TaxonomyID, 10), t.Name)
				add("tdesc_"+strconv.FormatInt(t.TaxonomyID, 10), t.Description)
			}
		}
	}
	url := j.rules.Home + "?p=" + strconv.FormatInt(original.ID, 10)
	return php.Pairs("url", url, "title", original.Title, "contents", contents, "type", "post"), nil
}

// batch adds the row for today's translations if it is missing.
func (j jobs) batch(ctx context.Context) error {
	name := "Manual Translations from " + ordinalDate(j.rows.Now.In(j.rows.Zone))
	n, err := j.rows.Number(ctx, "wpml.batch", sq.Select("COUNT(*)").
		From(j.rows.Table("icl_translation_batches")).Where(sq.Eq{"batch_name": name}))
	if err != nil || n > 0 {
		return err
	}
	_, err = j.rows.Add(ctx, "wpml.new_batch", "icl_translation_batches", rowedit.Columns("batch_name", name, "last_update", j.rows.UTCTime()))
	return err
}

// ordinalDate formats a date as "November the 21st, 2026".
func ordinalDate(t time.Time) string {
	suffix := "th"
	if d := t.Day(); d/10 != 1 {
		switch d % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return t.Format("January the 2") + suffix + t.Format(", 2006")
}

func encode(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// writeFields writes each text of the original next to its translation.
func (j jobs) writeFields(ctx context.Context, job int64, original, p *wpstore.Post) error {
	known := map[string]int64{}
	var name string
	var id int64
	err := j.rows.Query(ctx, "wpml.fields", sq.Select("field_type", "tid").From(j.rows.Table("icl_translate")).
		Where(sq.Eq{"job_id": job}), sqlconn.EachRow(func() { known[name] = id }, &name, &id))
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name, format string
		translate    int
		data, text   string
	}{
		{"original_id", "", 0, strconv.FormatInt(original.ID, 10), strconv.FormatInt(p.ID, 10)},
		{"title", "base64", 1, encode(original.Title), encode(p.Title)},
		{"body", "base64", 1, encode(original.Content), encode(p.Content)},
		{"excerpt", "base64", 1, encode(original.Excerpt), encode(p.Excerpt)},
	} {
		if id := known[f.name]; id != 0 {
			if err := j.rows.Change(ctx, "wpml.update_field", "icl_translate", sq.Update(j.rows.Table("icl_translate")).
				Set("field_data", f.data).Set("field_data_translated", f.text).Where(sq.Eq{"tid": id})); err != nil {
				return err
			}
			continue
		}
		if _, err := j.rows.Add(ctx, "wpml.new_field", "icl_translate", rowedit.Columns(
			"job_id", job, "content_id", 0, "timestamp", j.rows.UTCTime(), "field_type", f.name, "field_wrap_tag", "",
			"field_format", f.format, "field_translate", f.translate,
			"field_data", f.data, "field_data_translated", f.text, "field_finished", 1,
		)); err != nil {
			return err
		}
	}
	return nil
}
