package picture

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

const (
	// maxPictures is how many different URLs of pictures one request may name.
	maxPictures = 8
	// maxRunning is how many pictures are fetched and stored at a time; others wait.
	maxRunning = 4
	// settleTime bounds Drop.
	settleTime = 2 * time.Second
)

// Source fetches and stores pictures.
type Source struct {
	fetch *Client
	// uploads is the folder of pictures, nil where it is not known.
	uploads *Folder
	// readOnly servers refuse the write later, so they fetch no picture.
	readOnly bool
	logger   *slog.Logger
	// running bounds the pictures that are in memory, from the first byte to the last copy.
	running chan struct{}
}

// NewSource returns the source for a site's uploads folder, "" where it is not
// known. memory bounds what all pictures take while they are copied, 0 for a default.
// fetch may be nil for one with the defaults.
func NewSource(fetch *Client, uploads string, memory int64, readOnly bool, logger *slog.Logger) *Source {
	s := &Source{fetch: fetch, readOnly: readOnly, logger: logger, running: make(chan struct{}, maxRunning)}
	if fetch == nil {
		s.fetch = New(Config{})
	}
	if uploads != "" {
		s.uploads = NewFolder(uploads, memory)
	}
	return s
}

// Named are the pictures that one request names by URL. It is not safe for
// concurrent use.
type Named struct {
	source *Source
	store  Attachments
	place  *wpsite.Place
	viewer *authz.Viewer
	now    time.Time
	list   []*namedPicture
}

// Attachments finds attachments.
type Attachments interface {
	// AttachmentByURL returns the attachment that was made of a URL, 0 if there is none.
	AttachmentByURL(ctx context.Context, url string) (int64, error)
}

// Editor makes attachments, within a transaction. [edit.Posts] implements it.
type Editor interface {
	LockNames(ctx context.Context, names ...wpstore.PostName) error
	AddAttachment(ctx context.Context, a wpstore.Attachment) (int64, error)
}

// NewNamed returns the pictures of a request, none so far.
func NewNamed(source *Source, store Attachments, viewer *authz.Viewer, place *wpsite.Place, now time.Time) Named {
	return Named{source: source, store: store, viewer: viewer, place: place, now: now}
}

// namedPicture is a picture that a request names by its URL.
type namedPicture struct {
	url string
	// saved are its files; nil when the library has the picture already or it could not
	// be fetched, which counts as no picture in the reference.
	saved *Saved
	guid  string // the URL of the saved file
}

// Accept accepts the URL of a picture, from users who may upload files, and notes it
// for the write. A picture that the library has is not fetched again.
func (n *Named) Accept(ctx context.Context, url string) (bool, error) {
	if !n.viewer.User.Can("upload_files") || !api.IsURL(url) || !isWebURL(url) {
		return false, nil
	}
	if slices.ContainsFunc(n.list, func(p *namedPicture) bool { return p.url == url }) {
		return true, nil
	}
	if len(n.list) >= maxPictures {
		return false, nil
	}
	if !n.source.readOnly { // a read-only server refuses the request later
		id, err := n.store.AttachmentByURL(ctx, url)
		if err != nil {
			return false, err
		}
		if id == 0 && !n.source.offers(ctx, url) {
			return false, nil
		}
	}
	n.list = append(n.list, &namedPicture{url: url})
	return true, nil
}

func isWebURL(url string) bool {
	scheme, _, _ := strings.Cut(url, ":")
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

// offers reports whether a URL's media type is that of a picture that can be stored.
func (s *Source) offers(ctx context.Context, url string) bool {
	status, mediaType, err := s.fetch.Head(ctx, url)
	if err != nil {
		s.logger.Info("picture refused", "url", url, "err", err)
		return false
	}
	return status == http.StatusOK && Stored(mediaType)
}

// Fetch gets the pictures that the request names and stores their files, before the
// transaction, which must not wait for other servers.
func (n *Named) Fetch(ctx context.Context) error {
	for _, p := range n.list {
		id, err := n.store.AttachmentByURL(ctx, p.url)
		if err != nil {
			return err
		}
		if id != 0 {
			continue
		}
		if n.source.uploads == nil {
			return api.Fail("calbridge_no_uploads")
		}
		if err := n.fetch(ctx, p); err != nil {
			n.source.logger.Warn("picture not stored", "url", p.url, "err", err)
		}
	}
	return nil
}

func (n *Named) fetch(ctx context.Context, p *namedPicture) error {
	select {
	case n.source.running <- struct{}{}:
		defer func() { <-n.source.running }()
	case <-ctx.Done():
		return ctx.Err()
	}
	data, err := n.source.fetch.Get(ctx, p.url)
	if err != nil {
		return err
	}
	return n.save(ctx, p, data)
}

func (n *Named) save(ctx context.Context, p *namedPicture, data []byte) error {
	read, err := Read(data)
	if err != nil {
		return err
	}
	folder := ""
	if php.ToBool(n.place.Site.RawOption("uploads_use_yearmonth_folders", "1")) {
		folder = n.now.In(n.place.Site.CoreZone()).Format("2006/01")
	}
	stem := Stem(p.url, n.place.Site.Plain().RemoveAccents)
	p.saved, err = n.source.uploads.Save(ctx, read, folder, p.url, stem, pictureSizes(n.place.Site))
	if err != nil {
		return err
	}
	p.guid = n.place.Text.UploadsURL + "/" + path.Join(path.Dir(p.saved.File), p.saved.Title+path.Ext(p.saved.File))
	return nil
}

// Attach returns the attachment that a value names: by its id, or by a URL, whose attachment is
// made on first use. 0 means none.
func (n *Named) Attach(ctx context.Context, in Attachments, editor Editor, v php.Value) (int64, error) {
	if php.Empty(v) || php.IsNumeric(v) {
		return php.ToInt(v), nil
	}
	url := php.ToString(v)
	at := slices.IndexFunc(n.list, func(p *namedPicture) bool { return p.url == url })
	if at < 0 {
		return 0, nil
	}
	p := n.list[at]
	if err := editor.LockNames(ctx, wpstore.PostName{Type: wpstore.AttachmentType, Slug: url}); err != nil {
		return 0, err
	}
	id, err := in.AttachmentByURL(ctx, url)
	if err != nil || id != 0 || p.saved == nil {
		return id, err
	}
	return editor.AddAttachment(ctx, wpstore.Attachment{
		Title: p.saved.Title, MimeType: p.saved.Mime, URL: p.guid, File: p.saved.File,
		Metadata: phpserial.Serialize(p.saved.Metadata), Source: escape.StripSlashes(url), CommentStatus: n.place.Site.Facts.DefaultCommentStatus,
	})
}

// Drop removes the files that no row refers to. It reads the database, because a commit whose
// response was lost may have succeeded.
func (n *Named) Drop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	for _, p := range n.list {
		if p.saved == nil {
			continue
		}
		id, err := n.store.AttachmentByURL(ctx, p.guid)
		if err == nil && id == 0 {
			err = p.saved.Remove()
		}
		if err != nil {
			n.source.logger.Warn("files of a picture may be left over", "file", p.saved.File, "err", err)
		}
	}
}

// pictureSizes returns the smaller copies that WordPress makes of each picture, in its
// order. The sizes that themes and plugins add are not in the database.
func pictureSizes(s *wpsite.Site) []Size {
	size := func(name, width, height string) Size {
		return Size{
			Name:  name,
			Width: int(php.ToInt(s.RawOption(name+"_size_w", width))), Height: int(php.ToInt(s.RawOption(name+"_size_h", height))),
			Crop: php.ToBool(s.RawOption(name+"_crop", "0")),
		}
	}
	thumbnail := size("thumbnail", "150", "150")
	thumbnail.Crop = php.ToBool(s.RawOption("thumbnail_crop", "1"))
	return []Size{
		size("medium", "300", "300"), size("large", "1024", "1024"), thumbnail, size("medium_large", "768", "0"),
		{Name: "1536x1536", Width: 1536, Height: 1536}, {Name: "2048x2048", Width: 2048, Height: 2048},
	}
}
