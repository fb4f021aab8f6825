// Package render makes pictures of puzzles, as SVG, PNG, GIF, PDF and text. It does not know any
// puzzle.
//
// A family of puzzles has a Drawer, which draws states and paths of its spaces:
//
//   - A state is a Panel: a Drawing with a caption. Sheet puts panels into a Picture, which
//     writes itself as SVG or PNG. Text puts them beside each other in characters.
//   - A path is a Film. Strip makes a film strip of it. Play makes scenes of one or more films,
//     and WriteGIF writes them as an animation.
//
// Package pegs draws peg boards, package blocks sliding blocks, package lunar boards of Lunar
// Lockout. Package grid draws any space with cells. A Drawing adds shapes to a Picture, such as
// Circle, Rect and Label.
//
// Cards lays out pages of cards to print, which package pdf writes as a document.
//
// A Plot draws the number of states in each layer, Curves the chance to reach at least a value.
//
// The same input makes the same bytes.
package render
