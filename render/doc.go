// Package render draws positions, solutions and counts: as SVG, PNG, GIF and text.
//
// A Drawing is one thing of a puzzle, such as a Position of a peg board or a Tray of
// sliding blocks. Panels are drawings with captions; a Sheet puts them into a Picture,
// which writes itself as SVG or PNG, and Text puts them beside each other in characters.
// A Solution, or a TraySolution, makes the panels of a film strip and the frames of an
// animation, which WriteGIF writes. An Ensemble is several of them that are played side by
// side, as WriteScenes writes it. A Plot draws how many states there are in each layer.
//
//   - picture.go, outline.go, svg.go and raster.go know shapes, and nothing of puzzles.
//   - sheet.go, text.go, gif.go and gifwriter.go know drawings, and nothing of pegs or
//     blocks.
//   - peg.go and ensemble.go draw pegs, slide.go sliding blocks. Another puzzle is another
//     Drawing in a file of its own.
//
// The same input makes the same bytes.
package render
