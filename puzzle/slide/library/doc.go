// Package library has well-known sliding-block puzzles by name, such as slide/klotski, and n-puzzles of all
// sizes, such as slide/n3x4.
//
// Each puzzle is a text file in the format of package tray. Its title, author, year and source say where it
// comes from. Its lengths and states are those that others have published; a note says which are not. The
// file facts.csv has what was computed: a line for each puzzle and metric. Tests and
// go run ./docs/make/library --check compute it again.
//
// To add a puzzle, write its text, say NAME.txt, and let docs/make/library compute its facts:
//
//	go generate ./puzzle/slide/library
package library

//go:generate go -C ../../.. run ./docs/make/library
