// # The file of proofs
//
// A file stores what mode auto has proved, so that it survives a restart.
//
//   - format.go: the file, which belongs to one site and one version of the format
//   - keeper.go: [Keeper], which reads it, writes it, and removes it
//
// The file has no passwords, nonces, bodies or values of arguments. It may be
// deleted at any time.
//
// The file never says more than was proved: it is replaced whole, and it is removed before
// anything that has ended a proof goes on. So a process that is killed leaves a file that was
// true when it was killed, or none.
package proof
