package api

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"calbridge/rest/phpjson"
	"calbridge/wpstore"
)

// TestErrorTable checks that every code has a status and a text.
func TestErrorTable(t *testing.T) {
	words := NewWording(nil, "en", nil)
	for code, spec := range errorTable {
		if spec.Status < 400 {
			t.Errorf("%s has status %d", code, spec.Status)
		}
		if words.Message(code, nil) == code {
			t.Errorf("%s has no text", code)
		}
		if body := Fail(code).Body(words); body.At("code") != code || (body.At("data") == nil) != (spec.Bare || spec.Plain) {
			t.Errorf("%s: %v", code, body)
		}
	}
}

// TestErrorStatus fails if a code is missing or has another status than the recorded one: clients
// depend on the statuses.
func TestErrorStatus(t *testing.T) {
	want := map[int]string{
		400: "rest_invalid_json rest_missing_callback_param rest_invalid_param rest_callback_invalid wp_die invalid_param rest_invalid_type rest_not_in_enum calbridge_bad_body rest_path_invalid_type",
		401: "incorrect_password invalid_username invalid_email application_passwords_disabled application_passwords_disabled_for_user",
		403: "rest_forbidden rest_cookie_invalid_nonce", 404: "rest_no_route rest_invalid_namespace", 410: "calbridge_sync_token_gone",
		413: "calbridge_too_large", 429: "calbridge_too_many_failures calbridge_too_many_streams",
		499: "calbridge_client_gone",
		500: "internal_server_error calbridge_internal",
		501: "calbridge_no_uploads calbridge_no_changes", 502: "calbridge_upstream_away", 503: "calbridge_unavailable calbridge_busy calbridge_state_dir calbridge_read_only calbridge_no_transactions calbridge_charset calbridge_site_closed calbridge_upstream_slow",
		508: "calbridge_loop",
	}
	var codes []string
	for status, list := range want {
		for code := range strings.FieldsSeq(list) {
			codes = append(codes, code)
			if got := Fail(code).Status; got != status {
				t.Errorf("%s: %d, want %d", code, got, status)
			}
		}
	}
	slices.Sort(codes)
	if got := Errors().Codes(); !slices.Equal(got, codes) {
		t.Errorf("codes %v, want %v", got, codes)
	}
	if !Fail("rest_callback_invalid").Bare || Fail("rest_no_route").Bare {
		t.Error("a refused JSONP callback alone is bare")
	}
}

func TestCodesOf(t *testing.T) {
	all := ErrorTable{"b": {Status: 404, Also: 403}, "a": {Status: 403}}.With(ErrorTable{"c": {Status: 404}})
	for status, want := range map[int]string{403: "a b", 404: "b c", 500: ""} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			if got := strings.Join(all.CodesOf(status), " "); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

func TestPublicError(t *testing.T) {
	cause := errors.New("disk on fire")
	for _, c := range []struct {
		err   error
		code  string
		retry int
	}{
		{fmt.Errorf("validate: %w", Fail("rest_no_route")), "rest_no_route", 0},
		{fmt.Errorf("query: %w", wpstore.ErrUnavailable), "calbridge_unavailable", 2},
		{context.Canceled, "calbridge_unavailable", 2},
		{cause, "calbridge_internal", 0},
	} {
		e := PublicError(c.err)
		if e.Code != c.code || e.RetryAfter != c.retry {
			t.Errorf("%v: %+v", c.err, e)
		}
	}
	e := PublicError(cause)
	if !errors.Is(e, cause) || e.Error() != "calbridge_internal: disk on fire" || Fail("wp_die").Error() != "wp_die" {
		t.Errorf("%v", e)
	}
}

// TestErrorBody compares the three forms of errors that WordPress and TEC write.
func TestErrorBody(t *testing.T) {
	words := NewWording(&Profile{Languages: map[string]*profileWording{"default": {Errors: map[string]string{
		"rest_forbidden": "no", "empty_content": "nothing", "rest_callback_invalid": "bad", "rest_invalid_param": "wrong: {params}",
		"invalid_param": "not {param}", "rest_invalid_type": "{param} is not of type {type}", "rest_not_in_enum.one": "only one",
	}}}}, "en", nil)
	full := Fail("rest_forbidden")
	full.Data, full.More = Object("k", int64(1)), Object("more", true)
	plain := ErrorTable{"empty_content": {Status: 500, Plain: true}}.Fail("empty_content")
	plain.PlainData = "text"
	var refused ParamError
	if refused.Err() != nil {
		t.Error("nothing is refused")
	}
	refused.Add(words, "a", nil)
	refused.Add(words, "b", InvalidType("b", "integer"))
	one := Fail("rest_not_in_enum")
	one.Variant = ".one"
	refused.Add(words, "c", one)
	var params *Error
	if !errors.As(refused.Err(), &params) {
		t.Fatal(refused.Err())
	}
	for want, e := range map[string]*Error{
		`{"code":"rest_forbidden","message":"no","data":{"status":403,"k":1},"more":true}`: full,
		`{"code":"empty_content","message":"nothing","data":"text"}`:                       plain,
		`{"code":"rest_callback_invalid","message":"bad"}`:                                 Fail("rest_callback_invalid"),
		`{"code":"rest_invalid_param","message":"wrong: a, b, c","data":{"status":400,"params":{"a":"not a","b":"b is not of type integer","c":"only one"},` +
			`"details":{"b":{"code":"rest_invalid_type","message":"b is not of type integer","data":{"param":"b"}},"c":{"code":"rest_not_in_enum","message":"only one","data":null}}}}`: params,
	} {
		if got := string(phpjson.Append(nil, e.Body(words))); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
