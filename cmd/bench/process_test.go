package main

import (
	"os"
	"strings"
	"testing"
)

func TestStartChild(t *testing.T) {
	c, err := startChild(t.Context(), "sh", "-c", `echo starting >&2; i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo 'level=INFO msg=serving listen=127.0.0.1:80 ops=127.0.0.1:81' >&2; exec sleep 60`)
	if err != nil {
		t.Fatal(err)
	}
	if c.addr != "127.0.0.1:80" || c.ops != "127.0.0.1:81" {
		t.Errorf("%+v", c)
	}
	if cpu, err := cpuTime(c.cmd.Process.Pid); err != nil || cpu <= 0 {
		t.Errorf("CPU time %v, %v", cpu, err)
	}
	c.stop()
	if _, err := startChild(t.Context(), "sh", "-c", "echo 'no database' >&2; exit 3"); err == nil || !strings.Contains(err.Error(), "no database") {
		t.Errorf("%v", err)
	}
	if _, err := startChild(t.Context(), "/none/program"); err == nil {
		t.Error("no program starts")
	}
}

func TestProcess(t *testing.T) {
	if resident, err := residentBytes(os.Getpid()); err != nil || resident < 1<<20 {
		t.Errorf("%d bytes, %v", resident, err)
	}
	const none = 1 << 30
	if _, err := cpuTime(none); err == nil {
		t.Error("a process that is not there takes CPU time")
	}
	if _, err := residentBytes(none); err == nil {
		t.Error("a process that is not there takes memory")
	}
}
