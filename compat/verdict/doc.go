// Package verdict compares an answer with the recorded one, at a level, under rules:
// answers.go for one pair of answers, judge.go for answers of a running server. It turns
// exchanges and answers into differences and an Outcome. It must not import packages
// that send or report.
package verdict
