// Package grid draws the states of any space with cells, for families of puzzles that have no
// drawer of their own: a square for each cell, with a colour and a number for its content.
package grid
