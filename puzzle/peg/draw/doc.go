// Package draw draws peg boards: positions, patterns, and solutions in which the pegs jump.
package draw
