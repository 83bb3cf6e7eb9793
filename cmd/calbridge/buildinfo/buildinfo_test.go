package buildinfo

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestString(t *testing.T) {
	b := Build{Version: "v1.2.3", Revision: "0123abc", GoVersion: "go1.26"}
	if got, want := b.String(), "calbridge v1.2.3 (revision 0123abc, go1.26)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestOf(t *testing.T) {
	released := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{{Key: "vcs.time", Value: "x"}, {Key: "vcs.revision", Value: "0123abc"}}}
	for _, c := range []struct {
		info *debug.BuildInfo
		want Build
	}{
		{&debug.BuildInfo{}, Build{"devel", "unknown", runtime.Version()}},
		{&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, Build{"devel", "unknown", runtime.Version()}},
		{released, Build{"v1.2.3", "0123abc", runtime.Version()}},
	} {
		if got := of(c.info, "", ""); got != c.want {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
	linked := Build{"v1.2.3", "0123abc", runtime.Version()}
	if got := of(&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "v1.2.3", "0123abc"); got != linked {
		t.Errorf("%+v, want %+v", got, linked)
	}
	if got := of(released, "v9", "fff"); got != linked {
		t.Errorf("%+v, want %+v: version control knows better", got, linked)
	}
	if b := This(); b.Version == "" || b.Revision == "" || b.GoVersion != runtime.Version() {
		t.Errorf("this build is %+v", b)
	}
}
