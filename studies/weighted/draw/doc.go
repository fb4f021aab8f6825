// Package draw draws weighted games: positions in which each peg has its weight on it, and games by moves.
package draw
