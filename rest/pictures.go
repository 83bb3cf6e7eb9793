package rest

import (
	"context"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"calbridge/rest/picture"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sitedb"
)

const (
	// maxPictures is how many different URLs of pictures one request may name.
	maxPictures = 8
	// settleTime is how long it may take to find out whether a picture is needed
	// after its request has failed.
	settleTime = 2 * time.Second
)

// linkedPicture is a picture that a request names by its URL.
type linkedPicture struct {
	url string
	// saved are its files, nil when the library has the picture or it could not be
	// had, which the reference takes for no picture.
	saved *picture.Saved
	guid  string // the URL of the saved file
	id    int64  // of its attachment, once the transaction knows it
}

// pictureURL accepts the URL of a picture, from users who may upload files, and
// notes it for the write. What the library has already is not asked for again.
func (c *call) pictureURL(url string) (bool, error) {
	if !c.user.Can("upload_files") || !isURL(url) || !isWebURL(url) {
		return false, nil
	}
	if slices.ContainsFunc(c.pictures, func(p *linkedPicture) bool { return p.url == url }) {
		return true, nil
	}
	if len(c.pictures) >= maxPictures {
		return false, nil
	}
	if !c.srv.cfg.ReadOnly { // there the request is refused soon
		id, err := c.store.Posts.AttachmentByURL(c.ctx, url)
		if err != nil {
			return false, err
		}
		if id == 0 && !c.offersPicture(url) {
			return false, nil
		}
	}
	c.pictures = append(c.pictures, &linkedPicture{url: url})
	return true, nil
}

func isWebURL(url string) bool {
	scheme, _, _ := strings.Cut(url, ":")
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

// offersPicture says whether a URL's headers promise a picture that can be stored.
func (c *call) offersPicture(url string) bool {
	status, mediaType, err := c.srv.fetch.Head(c.ctx, url)
	if err != nil {
		c.srv.cfg.Logger.Info("picture refused", "url", url, "err", err)
		return false
	}
	return status == http.StatusOK && picture.Stored(mediaType)
}

// fetchPictures gets the pictures that the request names and stores their files,
// ahead of the transaction, which must not wait for strangers.
func (c *call) fetchPictures() error {
	for _, p := range c.pictures {
		id, err := c.store.Posts.AttachmentByURL(c.ctx, p.url)
		if err != nil {
			return err
		}
		if id != 0 {
			continue
		}
		if c.srv.uploads == nil {
			return fail("calbridge_no_uploads")
		}
		data, err := c.srv.fetch.Get(c.ctx, p.url)
		if err == nil {
			err = c.savePicture(p, data)
		}
		if err != nil {
			c.srv.cfg.Logger.Warn("picture not stored", "url", p.url, "err", err)
		}
	}
	return nil
}

func (c *call) savePicture(p *linkedPicture, data []byte) error {
	read, err := picture.Read(data)
	if err != nil {
		return err
	}
	folder := ""
	if php.ToBool(c.site.rawOption("uploads_use_yearmonth_folders", "1")) {
		folder = c.now.In(c.writing().Zone).Format("2006/01")
	}
	stem := picture.Stem(p.url, func(s string) string { return sanitize.RemoveAccents(s, c.site.facts.WPLang) })
	if p.saved, err = c.srv.uploads.Save(c.ctx, read, folder, p.url, stem, c.site.pictureSizes()); err != nil {
		return err
	}
	p.guid = c.text.UploadsURL + "/" + path.Join(path.Dir(p.saved.File), p.saved.Title+path.Ext(p.saved.File))
	return nil
}

// pictureID is the attachment that a value names: by its id, or by a URL, whose
// attachment is made on first use. 0 means none.
func (c *call) pictureID(tx *sitedb.Tx, v php.Value) (int64, error) {
	if php.Empty(v) || php.IsNumeric(v) {
		return php.ToInt(v), nil
	}
	url := php.ToString(v)
	at := slices.IndexFunc(c.pictures, func(p *linkedPicture) bool { return p.url == url })
	if at < 0 {
		return 0, nil
	}
	p := c.pictures[at]
	if p.id != 0 {
		return p.id, nil
	}
	var err error
	if p.id, err = tx.Posts.AttachmentByURL(c.ctx, url); err != nil || p.id != 0 || p.saved == nil {
		return p.id, err
	}
	p.id, err = tx.PostEditor.AddAttachment(c.ctx, edit.Attachment{
		Title: p.saved.Title, MimeType: p.saved.Mime, URL: p.guid, File: p.saved.File,
		Metadata: phpserial.Serialize(p.saved.Metadata), Source: unslash(url), CommentStatus: c.site.facts.DefaultCommentStatus,
	})
	return p.id, err
}

// writeThumbnail sets the picture of a post, or takes it away.
func writeThumbnail(m *rowedit.MetaEdit, id int64) {
	if id != 0 {
		m.Update("_thumbnail_id", php.ToString(id))
	} else {
		m.Delete("_thumbnail_id")
	}
}

// forgetPictures undoes what an earlier attempt of the transaction noted.
func (c *call) forgetPictures() {
	for _, p := range c.pictures {
		p.id = 0
	}
}

// dropPictures removes the files that no row speaks of. Only the database knows
// which those are: a commit may have failed for us alone.
func (c *call) dropPictures() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), settleTime)
	defer cancel()
	for _, p := range c.pictures {
		if p.saved == nil {
			continue
		}
		id, err := c.store.Posts.AttachmentByURL(ctx, p.guid)
		if err == nil && id == 0 {
			err = p.saved.Remove()
		}
		if err != nil {
			c.srv.cfg.Logger.Warn("files of a picture may be left over", "file", p.saved.File, "err", err)
		}
	}
}

// rawOption is a WordPress option as stored, fallback when there is none.
func (s *site) rawOption(name, fallback string) string {
	if v, ok := s.facts.Raw[name]; ok {
		return v
	}
	return fallback
}

// pictureSizes are the smaller copies that WordPress makes of each picture, in its
// order. Those that themes and plugins add are known to PHP alone.
func (s *site) pictureSizes() []picture.Size {
	size := func(name, width, height string) picture.Size {
		return picture.Size{
			Name:  name,
			Width: int(php.ToInt(s.rawOption(name+"_size_w", width))), Height: int(php.ToInt(s.rawOption(name+"_size_h", height))),
			Crop: php.ToBool(s.rawOption(name+"_crop", "0")),
		}
	}
	thumbnail := size("thumbnail", "150", "150")
	thumbnail.Crop = php.ToBool(s.rawOption("thumbnail_crop", "1"))
	return []picture.Size{
		size("medium", "300", "300"), size("large", "1024", "1024"), thumbnail, size("medium_large", "768", "0"),
		{Name: "1536x1536", Width: 1536, Height: 1536}, {Name: "2048x2048", Width: 2048, Height: 2048},
	}
}
