// Package player plays 2048 and Threes on boards of up to 16 cells, many games at a time.
//
// A Game is the rules, a Player chooses slides. There are simple players, expectimax with row tables
// (after nneonneo/2048-ai), and n-tuple networks that learn by temporal differences of afterstates
// (Szubert and Jaskowski 2014, Jaskowski 2016). Play lets a player play many games. Game k of a seed
// is the same for any number of threads. A Record is a game as text that Replay checks.
package player
