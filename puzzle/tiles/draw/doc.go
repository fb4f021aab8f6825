// Package draw draws boards of number tiles, as in 2048 and Threes, and games in which the tiles glide,
// join and appear.
//
// The light theme has the colours of the games. In the others a greater tile differs in lightness, too,
// so that people who see few colours can distinguish them. Numbers stand out from their tiles by a
// contrast of 4.5 at least.
package draw
