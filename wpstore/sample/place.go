package sample

import (
	"strings"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// writeImages writes attachments without files, the same for all languages.
func writeImages(w *posts, now time.Time) {
	original := &w.languages[0]
	folder := now.AddDate(0, 0, -120).Format("2006/01/")
	for _, img := range []struct {
		key, title, alt string
		width, height   int64
	}{
		{"square", "Náměstí", "Stánky na náměstí v Lípě", 1600, 1067},
		{"church", "Svatý Mikuláš", "Kostel svatého Mikuláše ve sněhu", 1200, 1600},
		{"stage", "Letní scéna", "Kapela na letní scéně", 1600, 900},
		{"gallery", "Galerie", "Návštěvníci v městské galerii", 1400, 933},
		{"river", "Nábřeží", "Běžci na nábřeží", 1600, 1067},
		{"library", "Studovna", "Děti ve studovně", 1024, 683},
		{"theatre", "Divadlo", "Opona malého divadla", 1600, 1200},
		{"poster", "Plakát festivalu", "Plakát letního festivalu", 900, 1273},
	} {
		id := w.add(post{kind: "attachment", language: original.code, status: "inherit", mime: "image/jpeg", title: img.title, excerpt: "Foto: město Lípa", published: now.AddDate(0, 0, -120)})
		w.ids["image "+img.key] = id
		w.tables.translation("post_attachment", id, 0, original.code, "")
		file := w.slugs.of("file", img.title+" foto") + ".jpg"
		sizes := &php.Array{}
		for _, size := range []struct {
			name string
			most int64
		}{{"thumbnail", 150}, {"medium", 300}, {"medium_large", 768}, {"large", 1024}} {
			width, height := fit(img.width, img.height, size.most, size.name)
			if width >= img.width {
				continue
			}
			name := strings.TrimSuffix(file, ".jpg") + "-" + php.ToString(width) + "x" + php.ToString(height) + ".jpg"
			sizes.SetString(size.name, php.Pairs("file", name, "width", width, "height", height, "mime-type", "image/jpeg", "filesize", width*height/8))
		}
		w.meta(id, "_wp_attached_file", folder+file)
		w.meta(id, "_wp_attachment_metadata", phpserial.Serialize(php.Pairs(
			"width", img.width, "height", img.height, "file", folder+file, "filesize", img.width*img.height/8, "sizes", sizes,
			"image_meta", php.Pairs("aperture", "0", "credit", "", "camera", "", "caption", "", "created_timestamp", "0", "copyright", "",
				"focal_length", "0", "iso", "0", "shutter_speed", "0", "title", "", "orientation", "0", "keywords", &php.Array{}))))
		w.meta(id, "_wp_attachment_image_alt", img.alt)
	}
}

// fit returns the scaled size of a picture as WordPress computes it: thumbnails are cropped
// to a square, medium_large is limited only by the width.
func fit(width, height, most int64, name string) (w, h int64) {
	switch {
	case name == "thumbnail":
		return most, most
	case name == "medium_large" || width >= height:
		return most, (height*most + width/2) / width
	}
	return (width*most + height/2) / height, most
}

func writeVenues(w *posts, now time.Time) {
	for _, v := range []struct{ key, address, zip, phone, url, image, lat, lng string }{
		{"culture", "Náměstí Míru 4", "471 01", "+420 482 000 110", "https://culture.lipa.example", "stage", "50.6855", "14.5376"},
		{"library", "Školní 12", "471 01", "+420 482 000 120", "https://library.lipa.example", "library", "50.6861", "14.5389"},
		{"church", "Kostelní 1", "471 01", "", "", "church", "50.6847", "14.5391"},
		{"square", "Náměstí Míru", "471 01", "", "", "square", "50.6853", "14.5381"},
		{"gallery", "Mlýnská 7", "471 01", "+420 482 000 140", "https://gallery.lipa.example", "gallery", "50.6839", "14.5402"},
		{"theatre", "Divadelní 3", "471 01", "+420 482 000 150", "", "theatre", "50.6858", "14.5364"},
		{"park", "Nábřeží 20", "471 03", "", "", "river", "50.6812", "14.5433"},
		{"hall", "Sportovní 15", "471 03", "+420 482 000 170", "https://sport.lipa.example", "", "50.6790", "14.5460"},
		{"townhall", "Náměstí Míru 1", "471 01", "+420 482 000 100", "https://www.lipa.example", "", "50.6856", "14.5380"},
		{"zittau", "Markt 9", "02763", "+49 3583 000 00", "https://zittau.example", "", "50.8966", "14.8071"},
	} {
		w.translate("venue", v.key, wpstore.VenueType, func(lang *language) map[string]words { return lang.venues }, func(lang *language, name words) int64 {
			id := w.add(post{kind: wpstore.VenueType, language: lang.code, title: name.name, content: paragraphs(name.text), published: now.AddDate(0, 0, -110), author: editor})
			city, country, region := "Lípa", lang.countries["cz"], "Liberecký kraj"
			if v.key == "zittau" {
				city, country, region = "Zittau", lang.countries["de"], "Sachsen"
			}
			w.meta(id, "_VenueOrigin", "events-calendar", "_VenueAddress", v.address, "_VenueCity", city, "_VenueCountry", country,
				"_VenueProvince", region, "_VenueState", "", "_VenueZip", v.zip, "_VenuePhone", v.phone, "_VenueURL", v.url,
				"_VenueStateProvince", region, "_VenueLat", v.lat, "_VenueLng", v.lng, "_VenueShowMap", "1", "_VenueShowMapLink", "1")
			w.thumbnail(id, v.image)
			return id
		})
	}
}

func writeOrganizers(w *posts, now time.Time) {
	for _, o := range []struct{ key, phone, url, email, image string }{
		{"town", "+420 482 000 101", "https://www.lipa.example", "culture@lipa.example", "square"},
		{"library", "+420 482 000 121", "https://library.lipa.example", "friends@library.lipa.example", "library"},
		{"jazz", "", "https://jazz.lipa.example", "hello@jazz.lipa.example", "stage"},
		{"actors", "+420 482 000 151", "", "actors@lipa.example", "theatre"},
		{"run", "", "https://run.lipa.example", "run@lipa.example", "river"},
		{"gallery", "+420 482 000 140", "https://gallery.lipa.example", "art@gallery.lipa.example", "gallery"},
		{"farmers", "+420 482 000 181", "", "farmers@lipa.example", ""},
		{"scouts", "", "https://scouts.lipa.example", "", ""},
	} {
		w.translate("organizer", o.key, wpstore.OrganizerType, func(lang *language) map[string]words { return lang.organizers }, func(lang *language, name words) int64 {
			id := w.add(post{kind: wpstore.OrganizerType, language: lang.code, title: name.name, content: paragraphs(name.text), published: now.AddDate(0, 0, -105), author: editor})
			w.meta(id, "_OrganizerOrigin", "events-calendar", "_OrganizerPhone", o.phone, "_OrganizerWebsite", o.url, "_OrganizerEmail", o.email)
			w.thumbnail(id, o.image)
			return id
		})
	}
}
