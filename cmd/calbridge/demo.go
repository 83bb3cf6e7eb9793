package main

import "context"

func demoCommand(ctx context.Context, p *program, args []string) error { return usagef("not yet") }
