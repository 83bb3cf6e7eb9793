package wptext_test

import (
	"encoding/json"
	"testing"

	"calbridge/rest/phpjson"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/images"
	"calbridge/wpstore/php"
)

func TestImageObject(t *testing.T) {
	res := testResources()
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
		got := string(phpjson.Append(nil, images.Object(tt.thumbnail, att, "https://cdn.example")))
		if got != tt.want {
			t.Errorf("%q\n got  %s\n want %s", tt.thumbnail, got, tt.want)
		}
	}
}

func TestUploadsURL(t *testing.T) {
	tests := []struct {
		site, url, path string
		https           bool
		content, want   string
	}{
		{"https://a.example", "", "", true, "", "https://a.example/wp-content/uploads"},
		{"http://a.example/wp", "", "wp-content/uploads", true, "", "https://a.example/wp/wp-content/uploads"},
		{"http://a.example", "", "files", false, "", "http://a.example/files"},
		{"http://a.example", "http://cdn.example/x", "files", true, "", "https://cdn.example/x"},
		{"http://a.example", "", "", false, "http://a.example/assets", "http://a.example/assets/uploads"},
	}
	for _, tt := range tests {
		if got := wptext.UploadsURL(tt.site, tt.url, tt.path, tt.https, tt.content); got != tt.want {
			t.Errorf("%+v: got %s", tt, got)
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
	if err := json.Unmarshal(sharedFile(t, "vectors", "images.json"), &list); err != nil {
		t.Fatal(err)
	}
	res := fixtures(t)
	for _, v := range list {
		thumbnail := ""
		if v.Input.Thumbnail != nil {
			thumbnail = *v.Input.Thumbnail
		}
		siteURL := vectorHome
		if u := v.Input.Options["siteurl"]; u != "" {
			siteURL = u
		}
		uploads := wptext.UploadsURL(siteURL, v.Input.Options["upload_url_path"], v.Input.Options["upload_path"], true, "")
		want, err := phpjson.Decode(v.Output)
		if err != nil {
			t.Fatal(err)
		}
		got := images.Object(thumbnail, res.Attachment(php.ToInt(thumbnail)), uploads)
		if g, w := string(phpjson.Append(nil, got)), string(phpjson.Append(nil, want)); g != w {
			t.Errorf("%s\n got  %s\n want %s", v.Name, g, w)
		}
	}
}
