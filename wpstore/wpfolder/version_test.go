package wpfolder_test

import (
	"strings"
	"testing"

	"calbridge/wpstore/wpfolder"
)

func TestWordPressVersion(t *testing.T) {
	for _, tt := range []struct{ src, want, warning string }{
		{"<?php\n/** $wp_version = '1.0'; */\n$wp_version = '6.5.2';\n$wp_db_version = 57155;\n", "6.5.2", ""},
		{`<?php global $wp_version; $wp_version = "7.1-beta2-60000-src";`, "7.1-beta2-60000-src", ""},
		{"<?php", "", "it assigns nothing"},
		{"$wp_version = '6.5.2';", "", "it assigns nothing"},
		{"<?php $wp_version =", "", "line 1: $wp_version is not a plain text"},
		{"<?php $wp_version = '6.5'", "", "not a plain text"},
		{"<?php\n$wp_version = '6.5' . PATCH;", "", "line 2: $wp_version is not a plain text"},
		{"<?php $wp_version = version();", "", "not a plain text"},
		{"<?php $wp_version = 6.5;", "", "not a plain text"},
		{"<?php $wp_version = 'latest';", "", `is "latest", which is not a version`},
		{"<?php $wp_version = '6';", "", "which is not a version"},
		{"<?php $wp_version = '99999999999.1';", "", "which is not a version"},
		{"<?php $wp_version = '6.5<script>';", "", "which is not a version"},
		{"<?php $wp_version = '6.5'; $wp_version = '7.0';", "", "a second time"},
		{"<?php $wp_version = '6.5';" + strings.Repeat(" ", 1<<16), "", "more than 64 KiB"},
	} {
		f := read(t, site(t, map[string]string{"wp-includes/version.php": tt.src}), wpfolder.Query{})
		if f.WordPress != tt.want {
			t.Errorf("%.80q gives %q, want %q", tt.src, f.WordPress, tt.want)
		}
		if tt.warning == "" {
			expectWarnings(t, f)
		} else {
			expectWarnings(t, f, "wp-includes/version.php: "+tt.warning)
		}
	}
}

func TestPluginHeader(t *testing.T) {
	for src, want := range map[string]wpfolder.Plugin{
		"<?php\n/*\nPlugin Name: A\nVersion: 1.0\nVersion: 2.0\n*/":           {Name: "A", Version: "1.0"},
		"<?php /* Plugin Name: A: the \"best\" */\n":                          {Name: "A: the \"best\""},
		"<?php\r\n/**\r\n\t * plugin name:\tA \r\n * VERSION:1.0-beta\r\n */": {Name: "A", Version: "1.0-beta"},
		"<?php\n# Plugin Name: A ?>":                                          {Name: "A"},
		"<?php\n$x = 'Version: 1'; // Requires Version: 2":                    {},
		"<?php\n// Plugin Name: \xffA":                                        {Name: "?A"},
		"<?php\n" + strings.Repeat(" ", 8<<10) + "\n// Version: 1.0":          {},
		"": {},
	} {
		f := read(t, site(t, map[string]string{"wp-content/plugins/a/a.php": src}), wpfolder.Query{Plugins: []string{"a/a.php"}})
		expectWarnings(t, f)
		if got := f.Plugins["a/a.php"]; got != want {
			t.Errorf("%.80q gives %+v, want %+v", src, got, want)
		}
	}
}
