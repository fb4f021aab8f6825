package statespace

// A Game has the rules of a game of one player against chance. Its methods always return the same, and
// may be called by several goroutines at once.
type Game interface {
	// Name is a short name for people, such as 2048/3x3, and Definition identifies the game.
	Name() string
	Definition() Definition
	// LayerName says what the number of a layer counts, such as "sum".
	LayerName() string
	// Start returns the states in which a game can start. Step is the layer, at least 0. The
	// chances add up to 1.
	Start() []GameDraw
	// Steps lists what GameDraw.Step can be, but for those of Start: positive numbers in increasing order.
	Steps() []int
	// MostMoves bounds the moves of a state, MostDraws the answers of chance to a move.
	MostMoves() int
	MostDraws() int
	// NewRules returns the rules for one goroutine.
	NewRules() GameRules
	// Estimate returns about how many states there are, in all and in the largest layer, to judge whether they
	// can be listed.
	Estimate() (all, layer float64)
	// MarkName says what marks are, in one word: "tile".
	MarkName() string
	// Mark returns the mark of a text, such as "512", with an error for people if there is none.
	// FormatMark writes it.
	Mark(text string) (mark int, err error)
	FormatMark(mark int) string
	// Marks lists the marks that people ask for, in increasing order.
	Marks() []int
	// Target is the mark that ends a game as a win, or 0 if games go on as long as there are
	// moves.
	Target() int
	// Parse returns the state that a text describes, and its layer. An error says what was
	// expected and where the text differs. It need not be a state that can be reached.
	Parse(text string) (layer int, state uint64, err error)
	// Check returns an error if a number is no state of a layer, such as a board with tiles outside, or one that is not
	// the image that stands for the others. It is for states from files: GameRules may panic on what is none. It need not
	// be a state that can be reached.
	Check(layer int, state uint64) error
	// Format writes a state on one line.
	Format(layer int, state uint64) string
	// FormatMove describes a move and the answer of chance in a few words, FormatChoice the
	// move alone.
	FormatMove(layer int, state uint64, m GameMove, d GameDraw) string
	FormatChoice(m GameMove) string

	// States stand for their images under the symmetries of the game. A game is shown as it is played:
	// on images that follow one another.

	// Image returns the image of a state that a text describes, as Parse returns the state. GameRules.Moves
	// takes images, too: the moves of an image differ from those of the state in their Numbers and their order only.
	Image(text string) (image uint64, err error)
	// Follow makes a move of a state and an answer of chance on an image of the state. It returns the
	// move of the image, and the image of GameDraw.To that follows. If the move has won, nothing follows.
	Follow(image uint64, m GameMove, d GameDraw) (move GameMove, next uint64)

	// Before appends the states, step layers before a state, from which a move and an answer of chance
	// lead to it. They may come in any order, several times, and with others that cannot be reached or
	// do not lead there. It is false if the game does not go back by itself: then a search looks
	// through whole layers.
	Before(dst []uint64, state uint64, step int) (before []uint64, ok bool)
}

// GameRules are the rules of a game with scratch memory of their own. One goroutine uses them at a time.
type GameRules interface {
	// Moves appends the moves of a state in a fixed order, those of one Case one after another.
	// If there are none, the game has ended.
	Moves(dst []GameMove, state uint64) []GameMove
	// Draws appends the answers of chance to a move that leads to an afterstate, in a fixed
	// order. Their chances add up to 1. The same state may come more than once.
	Draws(dst []GameDraw, after uint64) []GameDraw
	// Mark returns the greatest mark of a state.
	Mark(state uint64) int
	// Final is what a state without moves adds to the score.
	Final(state uint64) float64
	// Images is the number of states that the symmetries make of a state, with itself.
	Images(state uint64) int
}

// A GameMove is a move of the player.
type GameMove struct {
	// After is the afterstate: it decides the Draws. It is nothing if the move has Won.
	After uint64
	// Gain is what the move adds to the score.
	Gain float64
	// Won says that the move reaches the target, which ends the game.
	Won bool
	// Number is different for the moves of one Case: the direction, say. It counts from 0.
	Number uint8
	// Case numbers what chance has decided before the move, such as a tile that is shown. All cases have
	// the same moves, by their numbers. Chance is that of the case.
	Case   uint8
	Chance float64
}

// A GameDraw is an answer of chance: a state, how many layers farther it is, and its chance, above 0.
type GameDraw struct {
	To     uint64
	Step   int
	Chance float64
}
