package statespace

// Codes are what states are known by where only those that are found get numbers: ranks in a table of
// codes. A space of codes may have no numbers until then: its Size is 0, it has no roots, and it reads
// no state. Such a space has Graph and Numbered; the space that Numbered returns has Of instead.
type Codes struct {
	// Graph returns the graph of the codes. Without it, the codes of a space are its numbers.
	Graph func() CodeGraph
	// Numbered returns the space in which the number of a state is its rank in a table. States
	// that are not in the table are outside of it, and moves to them are left out. The
	// Definition is that of sparse.Renumber. It is required with Graph.
	Numbered func(t Table) (Space, error)
	// Of is the space whose states a table numbers here. It is nil if a space has numbers of its own.
	Of Space
	// Number returns the number in Of of a state, if states have numbers there. It is optional.
	Number func(x Index) Index
}

// A Table has the codes of states in increasing order. The number of a state is its rank, the
// number of codes before its own. Package sorted has tables on disk.
type Table interface {
	Len() uint64
	// At appends the code of a rank, below Len, to dst.
	At(dst []uint64, rank uint64) ([]uint64, error)
	// Rank returns the rank of a code, and whether it is there.
	Rank(code []uint64) (rank uint64, found bool, err error)
}

// A CodeGraph is states that are known by codes, and their moves.
type CodeGraph struct {
	// Words is the number of 64-bit words of a code, from 1 to 8.
	Words int
	// Roots are the codes at distance 0. There is at least one.
	Roots [][]uint64
	// Valid reports whether a code is that of a state. Codes from a file may not be; the other functions
	// get only valid ones. Several goroutines may call it. If it is nil, codes are not checked.
	Valid func(code []uint64) bool
	// NewExpander makes a CodeExpander for each thread.
	NewExpander func() CodeExpander
	// NewProver, if not nil, makes a CodeExpander that shares nothing with these but the codes, for proofs.
	NewProver func() CodeExpander
	// Back says how far back moves lead: a successor of a state at distance d has a distance
	// of at least d-Back. It is 1 if every move can be taken back, 0 if every move leads to
	// distance d+1, and negative if nothing is known. A new level is compared with
	// Back+1 earlier ones, or with all. If Back is too small, states are found more than once.
	Back int
}

// A CodeExpander knows the moves of a state. One goroutine uses it at a time.
type CodeExpander interface {
	// Expand appends the codes of the successors of a state to dst, one after another. The
	// same one may come several times.
	Expand(dst []uint64, code []uint64) []uint64
	// Goal reports whether a state is a goal.
	Goal(code []uint64) bool
}
