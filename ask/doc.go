// Package ask answers questions about the states in a file: whether a pattern can be reached,
// which members are nearest, the moves that lead there, counts, lists and samples. Each
// question is written once, here, and the commands, the page and Go programs ask it.
//
// A File is opened with a function that turns the definition in the file into a space;
// package puzzle has one for many families.
// Everything works on any space. Questions with patterns need a space that says what its
// cells are (cells.Celled); without one, patterns are whole states.
//
// Answers have a form in JSON, which docs/reference/output.md describes field by field, and one in
// text for people. Errors that are due to the question are ErrQuestion.
package ask
