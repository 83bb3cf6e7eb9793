// Package verdict compares an answer with the recorded one, at a level, under rules:
// answers.go one pair of answers, judge.go answers as they come in a running server.
// Exchanges and answers come in, differences and an Outcome go out. It must not import
// what sends or reports.
package replay
