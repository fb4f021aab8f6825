// Package weighted has the rules of weighted peg solitaire, the game of the MATLAB Central
// programming contest of May 2007
// (https://www.mathworks.com/matlabcentral/contest/contests/7/rules).
//
// Every peg has a weight and keeps it as it jumps. A jump costs the weight of the jumping peg.
// Consecutive jumps of the same peg are one move, and cost it once. The score of a game is the
// sum of these costs and of the weights of the pegs that are left; lower is better. A game may
// stop at any time. In the contest weights are positive; here they may be negative or 0, too.
//
//   - A Game is a board of any size with pegs and their weights. ParseGame reads one.
//   - Play replays a game and scores it; a State does so jump by jump.
//   - ParseJumps reads a game, FormatJumps writes it, in the numbers of the contest.
//   - Magic returns the magic square that MATLAB makes.
package weighted
