// # Comparing
//
// answers.go compares one response with the recorded one, at a level, under rules; judge.go
// does so in a running server. They turn exchanges and responses into differences and an
// Outcome.
package replay
