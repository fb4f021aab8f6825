// Package library has published sliding-block puzzles by name, such as slide/klotski, and
// n-puzzles of all sizes, such as slide/n3x4.
//
// Each published puzzle is a file in the format of package tray. Its title, author, year and source
// say where it comes from. Lengths and states are published ones, and if not all of them are, a
// note says which. What is computed of the puzzles, by the program fill, is in facts.csv: a line for
// each puzzle and metric. Tests and scripts/reproduce-library.sh compute it again.
//
// To add a puzzle, write its text, say NAME.txt, and let fill compute its facts:
//
//	go generate ./puzzle/slide/library
package library

//go:generate go -C ../../.. run ./docs/make/library
