// Package formats reads and writes sliding-block puzzles in several formats:
//
//   - text: the format of package tray, which can express every puzzle;
//   - rushhour: a Rush Hour puzzle in 36 characters, as in the database of M. Fogleman; boards of 25
//     and 49 characters, and those in lines, are read only;
//   - knuth: the input of D. E. Knuth's program SLIDING;
//   - jimslide: the configuration file of J. Leonard's programs JimSlide and js2;
//   - hrd: the nine hexadecimal digits that dnomd343's programs have for a position of Klotski;
//   - read only: levels of GNOME Klotski, levels of J. Su's program klotski in JSON, lists of pieces in JSON
//     or YAML, and n-puzzles as lists of numbers.
//
// Parse recognizes the format of a text, and ReadAs names it. An ambiguous text is an error. A text in
// another format is first written in the text format, and an error there is reported where it comes from.
package formats
