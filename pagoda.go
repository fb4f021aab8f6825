// Package pagoda finds everything that can happen in a puzzle: it enumerates all states that
// can be reached from the start, keeps them in a file, and answers questions from the file.
//
//	sp, err := pagoda.Lookup(ctx, "peg/5x7")            // a space: states, moves, a start
//	r, err := pagoda.Run(ctx, sp, pagoda.Options{Output: "5x7.reach"})
//	f, err := pagoda.Open(ctx, "5x7.reach", pagoda.Options{})
//	defer f.Close()
//	answer, err := f.Has("ooooo/o...o/o...o/ooooo/o...o/o...o/o...o")
//
// A File answers these questions; each method says more:
//
//	Has      can a pattern be reached, and if not, why
//	Near     which members are nearest to a pattern
//	PathTo   moves that lead from the start to a pattern; Paths counts, lists and draws them
//	Count    how many members agree with a pattern, or an expression
//	List     all of them, in order, or sorted
//	Sample   some of them, at random
//	Nth      the member at a place in the order; Rank the place of a member
//	Fields   what members can be selected and sorted by
//	Layers   how many states there are in each layer
//	Info     what the file says of itself
//
// Members are numbers of states: f.Space().Format writes one as text.
//
// Verify proves that a file holds exactly what can be reached. Resume continues a run that was
// stopped. Convert writes a file in another store.
//
// A puzzle of your own is a type that implements Space. docs/guides/your-own-space.md shows how to
// write, test and run one. Package cli/program makes a command line for it, with all questions.
//
// Some packages below have more: statespace the spaces and what they can offer, run the jobs,
// ask the questions, layers the files, render the pictures.
package pagoda

import (
	"cmp"
	"context"
	"os"

	"pagoda/ask"
	"pagoda/layers"
	_ "pagoda/layers/all"
	"pagoda/puzzle"
	"pagoda/puzzle/builtin"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// The types of a space; package statespace describes them.
type (
	// A Space is a puzzle: its states, numbered, and its moves.
	Space = statespace.Space
	// Parts are what a space offers besides.
	Parts = statespace.Parts
	// An Index is the number of a state.
	Index = statespace.Index
	// An Edge is a move, with the state to which it leads or from which it comes.
	Edge = statespace.Edge
	// A Definition identifies a space. Files keep it.
	Definition = statespace.Definition
	// A Path is moves one after the other.
	Path = statespace.Path
)

// Families of puzzles; package puzzle describes them.
type (
	// A Family is how names and definitions become the spaces of some puzzles.
	Family = puzzle.Family
	// A Choice is what was chosen of a space besides its name, such as a metric.
	Choice = puzzle.Choice
)

// Jobs; package run describes them.
type (
	// Options say how to run a space. The zero value uses all processors and 7/8 of the memory
	// of the machine, and writes no file. Sizes are in bytes.
	Options = run.Options
	// A Result is what a run has found. Times are in seconds, sizes in bytes.
	Result = run.Result
)

// Files and their questions; package ask describes them.
type (
	// A File is an open file of states. It must be closed.
	File = ask.File
	// A Pick picks members of a file for Count, List and Sample. The zero value picks all.
	Pick = ask.Pick
	// A Range is a range of layers, both ends included.
	Range = cells.Range
	// A Reach is the answer of Has.
	Reach = ask.Reach
	// A NearQuestion asks for the members nearest to some patterns.
	NearQuestion = ask.NearQuestion
	// A Near is the answer of Near.
	Near = ask.Near
	// A PathQuestion asks for paths. The zero value asks for one from the start.
	PathQuestion = ask.PathQuestion
	// A Solution is the answer of PathTo.
	Solution = ask.Solution
)

// Errors that callers decide on, for errors.Is.
var (
	// ErrUnknown: there is no space of this name.
	ErrUnknown = statespace.ErrUnknown
	// ErrOutside: a text describes a state that has no number. Parse returns it.
	ErrOutside = statespace.ErrOutside
	// ErrQuestion: the question does not make sense for the space, or a text is no pattern.
	ErrQuestion = ask.ErrQuestion
	// ErrOptions: the options do not fit the space or each other.
	ErrOptions = run.ErrOptions
	// ErrInTheWay: there is a file already that must not be overwritten.
	ErrInTheWay = run.ErrInTheWay
)

// Errors that callers decide on, for errors.As.
type (
	// A FileError says what is wrong with a file, and what to do.
	FileError = layers.FileError
	// A MemoryError says how many bytes a job needs, and how many are allowed.
	MemoryError = statespace.MemoryError
	// A StoppedError says from which checkpoint Resume continues, and which Options it needs.
	StoppedError = run.StoppedError
)

// set returns the given families, or those of this project if there are none.
func set(families []*Family) *puzzle.Set {
	if len(families) == 0 {
		return builtin.Families()
	}
	return puzzle.NewSet(families...)
}

// Lookup returns the space of a name such as peg/5x7, or of a text file that draws a puzzle, or of
// a name without its family, such as 5x7, in the given families; without families, in those of this
// project. The error is ErrUnknown if there is none. The tables of a space take at most 7/8 of the
// memory of the machine. When ctx ends, Lookup stops soon and returns the cause.
func Lookup(ctx context.Context, name string, families ...*Family) (Space, error) {
	return set(families).Lookup(ctx, name, os.Stdin, Choice{Memory: run.MemoryLimit(0)})
}

// Run enumerates all states of a space that can be reached, and writes them to the Output of
// the options, if there is one. When ctx ends, Run stops at a safe point. The error is then a
// *StoppedError if there is a checkpoint, and otherwise the cause. A run that needs more memory
// than is allowed does not start; the error is a *MemoryError.
func Run(ctx context.Context, sp Space, o Options) (*Result, error) { return run.Start(ctx, sp, o) }

// Resume continues a run that was stopped, from its checkpoint. The file has the same bytes as
// if the run had not been stopped. Unless o names an Output, Resume writes FILE of FILE.checkpoint,
// beside it, and no other file, whatever the checkpoint says. The families are as in Open.
func Resume(ctx context.Context, checkpoint string, o Options, families ...*Family) (*Result, error) {
	return run.Resume(ctx, checkpoint, set(families).Define, o)
}

// Open opens a file of states of the given families; without families, of those of this
// project. The methods of the File may be called by several goroutines at once. The error is a
// *FileError if the file cannot be used. Of the options, Memory counts: it bounds the bytes that
// the file takes in memory. 0 is the default, 1 GiB plus 512 times the size of the file, so that
// a file from anyone can be opened.
func Open(ctx context.Context, path string, o Options, families ...*Family) (*File, error) {
	return ask.Open(ctx, path, set(families).Define, o.Memory)
}

// Verify proves that a file holds exactly the states that can be reached, and that all else it
// says of them is right. The proof shares nothing with the engines but the numbering. The error
// is a *FileError if the file is wrong.
func Verify(ctx context.Context, f *File, o Options) error {
	return builtin.Families().Verify(ctx, f.File, o)
}

// Convert writes the states of a file to the Output of the options, in their Store. If that is
// empty, it is the one that Run uses. The error is ErrOptions if the space does not fit it.
func Convert(ctx context.Context, f *File, o Options) error {
	o.Store = cmp.Or(o.Store, run.BestStore(f.Space()))
	store, err := layers.FindStore(o.Store)
	if err != nil {
		return err
	}
	return run.Convert(ctx, f.File, store, o)
}
