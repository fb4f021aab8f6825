// Package draw draws boards of Lunar Lockout: positions, patterns, problems, and solutions in which
// the pieces slide.
//
// A letter piece is a round saucer in a bright colour of its own. A number piece is a square robot;
// all robots have the colour of ink. So people who see few colours can distinguish them, too. An exit
// is a landing pad.
package draw
