// Package library has published sliding-block puzzles by name, such as slide/klotski, and
// n-puzzles of all sizes, such as slide/n3x4.
//
// Each published puzzle is a file in the format of package tray. Its title, author and source
// say where it comes from. Lengths and states are published ones, and if not all of them are, a
// note says which; a test of package slide computes them again.
package library
