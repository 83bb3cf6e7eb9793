package media

import (
	"encoding/json"
	"strings"
	"testing"

	"calbridge/rest/phpjson"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/texttest"
	"calbridge/wpstore/php"
)

func TestImageObject(t *testing.T) {
	res := sitetest.Resources()
	tests := []struct{ thumbnail, want string }{
		{"", "false"}, {"0", "false"}, {"x", "false"},
		{"99", `{"url":false,"id":99,"extension":""}`},
		{"8", `{"url":"https:\/\/cdn.example\/sign.png","id":8,"extension":"png"}`},
		{"7", `{"url":"https:\/\/cdn.example\/2027\/05\/hall.jpg","id":7,"extension":"jpg","width":1600,"height":1200,"sizes":{` +
			`"thumbnail":{"width":150,"height":150,"mime-type":"image\/jpeg","url":"https:\/\/cdn.example\/2027\/05\/hall-150x150.jpg"},` +
			`"medium":{"width":300,"height":225,"mime-type":"image\/jpeg","url":"https:\/\/cdn.example\/2027\/05\/hall-300x225.jpg"},` +
			`"large":{"width":1024,"height":768,"mime-type":"image\/jpeg","url":"https:\/\/cdn.example\/2027\/05\/hall-1024x768.jpg"}}}`},
	}
	for _, tt := range tests {
		var att *wptext.Attachment
		switch tt.thumbnail {
		case "7":
			att = res.Attachments[7]
		case "8":
			att = res.Attachments[8]
		}
		got := string(phpjson.Append(nil, ImageObject(php.ToInt(tt.thumbnail), att, "https://cdn.example")))
		if got != tt.want {
			t.Errorf("%q\n got  %s\n want %s", tt.thumbnail, got, tt.want)
		}
	}
}

func TestImageVectors(t *testing.T) {
	var list []struct {
		Name  string
		Input struct {
			Thumbnail *string `json:"_thumbnail_id"`
			Options   map[string]string
		}
		Output json.RawMessage
	}
	texttest.ReadJSON(t, &list, "vectors", "images.json")
	res := sitetest.RecordedResources(t)
	for _, v := range list {
		thumbnail := ""
		if v.Input.Thumbnail != nil {
			thumbnail = *v.Input.Thumbnail
		}
		siteURL := sitetest.RecordedHome
		if u := v.Input.Options["siteurl"]; u != "" {
			siteURL = u
		}
		uploads := (&wptext.Uploads{SiteURL: strings.TrimRight(siteURL, "/"), URLPath: v.Input.Options["upload_url_path"], Path: v.Input.Options["upload_path"]}).URL(true)
		want, err := phpjson.Decode(v.Output)
		if err != nil {
			t.Fatal(err)
		}
		got := ImageObject(php.ToInt(thumbnail), res.Attachments[php.ToInt(thumbnail)], uploads)
		if g, w := string(phpjson.Append(nil, got)), string(phpjson.Append(nil, want)); g != w {
			t.Errorf("%s\n got  %s\n want %s", v.Name, g, w)
		}
	}
}
