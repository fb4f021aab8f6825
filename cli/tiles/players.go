package tiles

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/disk"
	"pagoda/internal/plaintext"
	"pagoda/internal/progress"
	"pagoda/puzzle"
	"pagoda/puzzle/tiles"
	"pagoda/puzzle/tiles/player"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/studies/regret"
)

// playerCommands returns the commands of players on large boards.
func playerCommands(families *puzzle.Set) []*cobra.Command {
	return []*cobra.Command{playCommand(families), trainCommand(), replayCommand()}
}

// A chosenGame is the game that an argument and flags choose.
type chosenGame struct {
	board string
	two   twenty48.Options
	three threes.Options

	kind string
	last uint64 // the tile that ends a game, or 0
}

func (c *chosenGame) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.board, "board", "", "board of `RxC`, rows and columns (default 4x4)")
	cmd.Flags().Float64Var(&c.two.P4, "p4", twenty48.DefaultP4, "of 2048: the `CHANCE` that a new tile is a 4")
	cmd.Flags().IntVar(&c.three.Bag, "bag", 4, "of Threes: a full bag holds `N` 1s, N 2s and N 3s; 0: any of them comes next")
	cmd.Flags().BoolVar(&c.three.Hidden, "hidden", false, "of Threes: the next tile is not shown before the move")
	cmd.Flags().BoolVar(&c.three.Bonus, "bonus", false, "of Threes: a bonus tile may come next; exact solutions then need a stop tile of 96 or more")
	console.NotEmpty(cmd, "board")
}

// game returns the game of a name, such as 2048 or threes/3x3@bag=1. It does not end with a tile: see until.
func (c *chosenGame) game(cmd *cobra.Command, name string) (player.Game, error) {
	name, err := c.options(cmd, name)
	if err != nil {
		return nil, console.UsageError(err)
	}
	kind, board, named := strings.Cut(name, "/")
	if named && c.board != "" {
		return nil, console.Usagef("%.60s names a board: leave out --board, or the slash and what follows", name)
	}
	if !named {
		board = cmp.Or(c.board, "4x4")
	}
	shape, err := tiles.ParseName(kind, board)
	if err != nil {
		return nil, console.Usagef("expected a board such as 4x4, its rows and columns, or 3x4:64 with the tile that ends a game, found %.40q", board)
	}
	c.kind, c.last = kind, shape.Last
	c.two.Rows, c.two.Columns, c.two.Target = shape.Rows, shape.Columns, shape.Last
	c.three.Rows, c.three.Columns, c.three.Stop = shape.Rows, shape.Columns, int(shape.Last)
	for flag, of := range map[string]string{"p4": twenty48.Family, "bag": threes.Family, "hidden": threes.Family, "bonus": threes.Family} {
		if cmd.Flags().Changed(flag) && kind != of {
			return nil, console.Usagef("--%s is for %s, and the game is %.40s", flag, of, kind)
		}
	}
	var g player.Game
	switch kind {
	case twenty48.Family:
		g, err = player.New2048(shape.Rows, shape.Columns, c.two.P4)
	case threes.Family:
		g, err = player.NewThrees(c.three)
	default:
		err = fmt.Errorf("expected the game 2048 or threes, found %.40q", kind)
	}
	return g, console.UsageError(err)
}

// options sets the flags that stand in a name behind the sign @, and returns the name without them.
func (c *chosenGame) options(cmd *cobra.Command, name string) (base string, err error) {
	all := tiles.Twenty48Options
	if strings.HasPrefix(name, threes.Family) {
		all = tiles.ThreesOptions
	}
	base, choice, err := tiles.SplitName(name, puzzle.Choice{}, all)
	if err != nil {
		return "", err
	}
	if choice.Options["start"] != "" {
		return "", errors.New("players begin as the game does: leave out the start behind the sign @")
	}
	for option, value := range choice.Options {
		if cmd.Flags().Changed(option) {
			return "", fmt.Errorf("%.60s has the option %s: leave out --%s", name, option, option)
		}
		if err := cmd.Flags().Set(option, value); err != nil {
			return "", fmt.Errorf("@%s: expected a number, found %.40q", option, value)
		}
	}
	return base, nil
}

// until returns the game that ends with the tile of its name, if there is one.
func (c *chosenGame) until(g player.Game) (player.Game, error) {
	if c.last == 0 {
		return g, nil
	}
	g, err := player.Until(g, c.last)
	return g, console.UsageError(err)
}

// scorePlot is the plot of play and replay.
const scorePlot = "plot of the chance to reach a score"

// A plays is the flags of play.
type plays struct {
	chosenGame
	player, network, keep string
	against, objective    string
	games                 int
	seed                  uint64
	threads               *int
	search                player.SearchOptions
	plot                  *cli.PlotFlags
	force                 bool
}

func playCommand(families *puzzle.Set) *cobra.Command {
	var p plays
	cmd := &cobra.Command{
		Use:   "play GAME",
		Short: "Let the computer play 2048 or Threes, many games at a time",
		Long: `play lets the computer play games of 2048 or Threes, and sums them up: the mean score and the
tiles that games reach, with 95 % intervals. GAME is 2048 or threes, or a board such as 2048/3x3;
games of 2048/3x4:64 end with the tile 64.

The players: expectimax looks ahead, --depth layers of chance (by default as many as suit the
board), and leaves out what comes with a chance below --cutoff. network uses a file that train
has made; --depth lets it look ahead, too. --empty saves time: they look ahead on full boards
only. greedy takes the largest gain. corner slides down, else left, else right, else up.
random takes any slide. best makes the best moves by the file of --against.

--against compares each move with the values of a file that run has made: how much it loses,
where, and what the player is worth by that.

Game k of a seed is the same for any number of threads. Ctrl-C prints the results so far, of the
games that have ended: short games end first.`,
		Example: `  reach play 2048 --games 20
  reach play 2048/3x3 --player corner --games 1000 --seed 7 --keep games.txt --plot scores.svg
  reach play 2048 --player network --network 2048.network --depth 1 --empty 6
  reach play threes --depth 2 --cutoff 0.01 --json
  reach play 2048/2x3 --depth 1 --against 2048-2x3.reach --objective score`,
		Args: console.Args(1, 1, "a game"),
	}
	p.flags(cmd)
	console.OneOf(cmd, &p.player, "player", "expectimax", []string{"expectimax", "network", "corner", "greedy", "random", "best"}, "who plays")
	cmd.Flags().IntVar(&p.games, "games", 100, "how many games")
	cmd.Flags().Uint64Var(&p.seed, "seed", 1, "seed of the random numbers: the same one gives the same result")
	p.threads = console.Threads(cmd)
	cmd.Flags().IntVar(&p.search.Depth, "depth", 0, "layers of chance to look ahead; 0: expectimax chooses, network does not search")
	cmd.Flags().Float64Var(&p.search.Cutoff, "cutoff", player.DefaultCutoff, "judge without search what comes with a lower chance")
	cmd.Flags().IntVar(&p.search.Empty, "empty", 0, "look ahead only on boards with at most `N` empty cells; 0: on all")
	cmd.Flags().StringVar(&p.network, "network", "", "`FILE` of the network that plays")
	cmd.Flags().StringVar(&p.keep, "keep", "", "write the games to `FILE`, one per line, for replay")
	cmd.Flags().StringVar(&p.against, "against", "", "compare each move with the exact values in `FILE`")
	cmd.Flags().StringVar(&p.objective, "objective", "", "of --against: the objective that counts (default: the first of the file)")
	cmd.Flags().BoolVar(&p.force, "force", false, "overwrite the file of --keep if there is one")
	p.plot = cli.NewPlotFlags(cmd, scorePlot)
	console.JSON(cmd, "one JSON object")
	console.NotEmpty(cmd, "network", "keep", "against", "objective")
	console.Within(cmd, "games", 1, 1e8, "1 to 100,000,000")
	cli.OpenFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return p.run(cmd, families, args[0]) }
	return cmd
}

func (p *plays) run(cmd *cobra.Command, families *puzzle.Set, name string) error {
	if err := p.plot.Check(cmd); err != nil {
		return err
	}
	if flag := console.Given(cmd, "depth", "cutoff", "empty"); flag != "" && p.player != "expectimax" && p.player != "network" {
		return console.Usagef("--%s is for a player that looks ahead, and %s does not", flag, p.player)
	}
	if (p.player == "network") != (p.network != "") {
		return console.Usagef("--player network and --network FILE need each other; train makes such a file")
	}
	if flag := console.Given(cmd, "cutoff", "empty"); p.player == "network" && p.search.Depth == 0 && flag != "" {
		return console.Usagef("--%s is for a player that looks ahead: give --depth, too", flag)
	}
	if p.against == "" && (p.player == "best" || p.objective != "") {
		return console.Usagef("--player best and --objective need --against FILE; run makes such a file")
	}
	g, err := p.game(cmd, name)
	if err != nil {
		return err
	}
	if err := cmp.Or(checkOutput(p.keep, p.force), checkOutput(p.plot.Path(), true)); err != nil {
		return err
	}
	newPlayer, err := p.players(cmd, g)
	if err != nil {
		return err
	}
	if g, err = p.until(g); err != nil {
		return err
	}
	ctx, fail := context.WithCancelCause(cmd.Context())
	defer fail(nil)
	var done atomic.Int64
	o := player.Options{Games: p.games, Seed: p.seed, Threads: *p.threads, Records: p.keep != "", Done: &done}
	var judge *regret.Judge
	if p.against != "" {
		f, err := cli.Open(cmd, families, p.against)
		if err != nil {
			return err
		}
		defer f.Close()
		if judge, err = p.judge(f, g, fail); err != nil {
			return err
		}
		o.Watch = judge.Watcher
		if p.player == "best" {
			newPlayer = judge.Player
		}
	}
	stop := progress.Start(ctx, "playing", 0, "games", func() (int64, int64) { return done.Load(), int64(p.games) })
	games, seconds, ended := player.Play(ctx, g, newPlayer, o)
	stop()
	if err := context.Cause(ctx); err != nil && cmd.Context().Err() == nil {
		return err // of the file, perhaps in the last game
	}
	if p.keep != "" {
		// The games that have ended count, even if others were interrupted.
		err := console.WriteFile(context.WithoutCancel(ctx), p.keep, func(to io.Writer) error {
			w := bufio.NewWriter(to)
			for _, one := range games {
				fmt.Fprintln(w, one.Record)
			}
			return w.Flush()
		})
		if err != nil {
			return err
		}
	}
	var compared *against
	if judge != nil {
		report, err := judge.Report()
		if err != nil {
			return err
		}
		compared = &against{p.against, report}
	}
	if len(games) > 0 {
		if err := plotChances(cmd, p.plot, g, []series{{p.player, games}}); err != nil {
			return err
		}
	}
	s := player.Summarize(g, games, seconds)
	return cmp.Or(console.Answer(cmd, struct {
		Game   string `json:"game"`
		Player string `json:"player"`
		Seed   uint64 `json:"seed"`
		player.Summary
		Against *against `json:"against,omitempty"`
	}{g.Name(), p.player, p.seed, s, compared}, func(w io.Writer) error { return p.write(w, g, s, compared) }), ended)
}

// players returns a function that makes players.
func (p *plays) players(cmd *cobra.Command, g player.Game) (func() player.Player, error) {
	if p.player == "best" {
		return nil, nil // that of the file
	}
	simple := map[string]func(player.Game) player.Player{"random": player.NewRandom, "greedy": player.NewGreedy, "corner": player.NewCorner}
	if of := simple[p.player]; of != nil {
		return func() player.Player { return of(g) }, nil
	}
	one := func() (player.Player, error) { return player.NewExpectimax(g, p.search) }
	if p.player == "network" {
		file, err := disk.OpenInput(cmd.Context(), p.network)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		n, err := player.ReadNetwork(file, g, run.MemoryLimit(console.MemoryOf(cmd)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.network, cmp.Or(context.Cause(cmd.Context()), err)) // what was read of a pipe is no network
		}
		one = func() (player.Player, error) { return player.NewTrained(g, n, p.search) }
	}
	if _, err := one(); err != nil {
		return nil, console.UsageError(err)
	}
	return func() player.Player {
		one, _ := one() // the options are right: that was found above
		return one
	}, nil
}

// write sums games up for people.
func (p *plays) write(to io.Writer, g player.Game, s player.Summary, compared *against) error {
	fmt.Fprintf(to, "%s, %s, seed %d: %s\n", g.Name(), p.player, p.seed, cli.Count(uint64(s.Games), "game"))
	if s.Games == 0 {
		return nil
	}
	if s.Games == 1 { // an interval needs two
		fmt.Fprintf(to, "score %d\n", s.Most)
	} else {
		fmt.Fprintf(to, "mean score %.0f (%.0f to %.0f), median %.0f, least %d, most %d\n", s.Mean, s.Low, s.High, s.Median, s.Least, s.Most)
	}
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "tile\tgames\tpercent\tlow\thigh\t")
	for _, t := range s.Tiles {
		fmt.Fprintf(w, "%d\t%d\t%.1f\t%.1f\t%.1f\t\n", t.Tile, t.Games, t.Percent, t.Low, t.High)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to, "%s in %.1f s, %.0f a second\n", cli.Count(uint64(s.Moves), "move"), s.Seconds, s.MovesPerSecond)
	if compared != nil && err == nil {
		err = compared.WriteText(to, p.player, compared.File)
	}
	return err
}

// checkOutput finds before long work that a file cannot be written, or is there and not to be overwritten.
func checkOutput(path string, overwrite bool) error {
	if path == "" {
		return nil
	}
	if path == "-" {
		return console.Usagef("cannot write -: stdout has the results; name a file")
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("cannot write %s: it is not a regular file", path)
	} else if err == nil && !overwrite {
		return fmt.Errorf("%s exists: --force overwrites it, another name keeps it", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("cannot write %s: there is no directory %s", path, filepath.Dir(path))
	}
	return nil
}

// A trains is the flags of train.
type trains struct {
	chosenGame
	out     string
	time    time.Duration
	games   int
	seed    uint64
	threads *int
	initial float64
	force   bool
}

func trainCommand() *cobra.Command {
	var t trains
	cmd := &cobra.Command{
		Use:   "train GAME",
		Short: "Train a network that plays 2048 or Threes",
		Long: `train lets an n-tuple network play games and learn from them, for a time, a number of games, or
until the first of both. It writes the network to a file for play. GAME is 2048 or threes, or a
board such as 2048/3x3. On 4x4 it takes 0.8 GB of memory.

With --threads 1 and --games, the network depends on the seed alone. More threads share its
weights: then no two networks are the same. Ctrl-C ends the training, and the network is written,
if it has learned from a game.`,
		Example: `  reach train 2048 --time 5m -o 2048.network
  reach train 2048/3x3 --games 20000 --threads 1 --seed 7 -o small.network`,
		Args: console.Args(1, 1, "a game"),
	}
	t.flags(cmd)
	cmd.Flags().StringVarP(&t.out, "out", "o", "", "write the network to `FILE`")
	console.Time(cmd, &t.time, "time", 0, "", "how long it learns, such as 30s or 10m (default 5m without --games)")
	cmd.Flags().IntVar(&t.games, "games", 0, "how many games it learns from; 0: as many as the time allows")
	console.Within(cmd, "games", 0, math.MaxInt, "0 or more")
	cmd.Flags().Uint64Var(&t.seed, "seed", 1, "seed of the random numbers")
	t.threads = console.Threads(cmd)
	cmd.Flags().Float64Var(&t.initial, "initial", 0, "what it expects of every board at first; a high value makes it try more")
	cmd.Flags().BoolVar(&t.force, "force", false, "overwrite the file of --out if there is one")
	console.JSON(cmd, "one JSON object")
	new(console.Memory).Flag(cmd, console.OfMachine)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return t.run(cmd, args[0]) }
	return cmd
}

func (t *trains) run(cmd *cobra.Command, name string) error {
	if t.out == "" {
		return console.Usagef("name the file for the network with --out FILE")
	}
	if t.time == 0 && t.games == 0 {
		if cmd.Flags().Changed("time") {
			return console.Usagef("expected a time above 0, or a number of games, found %v and 0", t.time)
		}
		t.time = 5 * time.Minute
	}
	g, err := t.game(cmd, name)
	if err != nil {
		return err
	}
	if t.last > 0 {
		return console.Usagef("a network learns the whole game: leave out :%d; play ends its games with that tile", t.last)
	}
	if err := checkOutput(t.out, t.force); err != nil {
		return err
	}
	n, err := player.NewNetwork(g, t.initial, run.MemoryLimit(console.MemoryOf(cmd)))
	switch {
	case errors.Is(err, statespace.ErrMemory):
		return err
	case err != nil:
		return console.UsageError(err)
	}
	ctx := cmd.Context()
	learn, cancel := ctx, func() {}
	if t.time > 0 {
		learn, cancel = context.WithTimeout(ctx, t.time)
	}
	defer cancel()
	var done atomic.Int64
	stop := progress.Start(ctx, "training", 0, "games", func() (int64, int64) { return done.Load(), int64(t.games) })
	begin := time.Now()
	err = n.Train(learn, g, player.Training{Games: t.games, Seed: t.seed, Threads: *t.threads, Done: &done})
	seconds := time.Since(begin).Seconds()
	stop()
	if err != nil {
		return err
	}
	if n.Games() == 0 {
		if err := context.Cause(ctx); err != nil {
			return fmt.Errorf("%w; no game has ended, so there is nothing to write", err)
		}
		return console.Usagef("no game has ended in %v, so there is nothing to write: give more --time", t.time)
	}
	if err := console.WriteFile(context.WithoutCancel(ctx), t.out, n.Write); err != nil {
		return err
	}
	return cmp.Or(console.Answer(cmd, struct {
		Game    string  `json:"game"`
		File    string  `json:"file"`
		Seed    uint64  `json:"seed"`
		Games   uint64  `json:"games"`
		Moves   uint64  `json:"moves"`
		Seconds float64 `json:"seconds"`
	}{g.Name(), t.out, t.seed, n.Games(), n.Moves(), seconds}, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s: %s of %s, %s in %.1f s\n", t.out, cli.Count(n.Games(), "game"), g.Name(), cli.Count(n.Moves(), "move"), seconds)
		return err
	}), context.Cause(ctx))
}

func replayCommand() *cobra.Command {
	var c chosenGame
	cmd := &cobra.Command{
		Use:   "replay GAME FILE...",
		Short: "Play kept games of 2048 or Threes again, and check them",
		Long: `replay reads games that play --keep has written, and plays them again. It checks the start,
every slide and every tile, that each game has ended, and its score. Then it sums up the games
of each file. GAME and its options are those that were played. FILE may be - for stdin. --plot
draws a curve for each file, to compare players. The exit code is 3 if a game is wrong.`,
		Example: `  reach replay 2048/3x3 games.txt
  reach replay 2048 corner.txt greedy.txt --plot players.svg --log`,
		Args: console.Args(2, -1, "a game and files of games"),
	}
	c.flags(cmd)
	plot := cli.NewPlotFlags(cmd, scorePlot)
	console.JSON(cmd, "a JSON object for each file")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := plot.Check(cmd); err != nil {
			return err
		}
		g, err := c.game(cmd, args[0])
		if err != nil {
			return err
		}
		if g, err = c.until(g); err != nil {
			return err
		}
		var all []series
		for _, path := range args[1:] {
			games, err := replayFile(cmd, g, path)
			if err != nil {
				return err
			}
			name := filepath.Base(path)
			all = append(all, series{strings.TrimSuffix(name, filepath.Ext(name)), games})
		}
		for i, path := range args[1:] {
			s := player.Summarize(g, all[i].games, 0)
			if err := console.Answer(cmd, struct {
				Game string `json:"game"`
				File string `json:"file"`
				player.Summary
			}{g.Name(), path, s}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s: %s of %s, all right; mean score %.0f, %s\n", path, cli.Count(uint64(s.Games), "game"), g.Name(), s.Mean,
					cli.Count(uint64(s.Moves), "move"))
				return err
			}); err != nil {
				return err
			}
		}
		return plotChances(cmd, plot, g, all)
	}
	return cmd
}

// replayFile replays the games of a file, or of stdin.
func replayFile(cmd *cobra.Command, g player.Game, path string) (all []player.Played, err error) {
	from := cmd.InOrStdin()
	if path != "-" {
		file, err := disk.OpenInput(cmd.Context(), path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from = plaintext.Reader(file)
	}
	if all, err = replayAll(cmd.Context(), g, from); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// mostRecord bounds the bytes of a record. The longest games have some 100,000 moves.
const mostRecord = 1 << 23

func replayAll(ctx context.Context, g player.Game, from io.Reader) (all []player.Played, err error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, mostRecord)
	number := 1
	for ; lines.Scan(); number++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		one, err := player.Replay(g, lines.Text(), nil)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		one.Record = ""
		all = append(all, one)
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d: expected a record, found more than %d bytes", number, mostRecord)
	} else if err != nil {
		return nil, err
	}
	if all == nil {
		return nil, errors.New("there are no games in it: expected lines that play --keep has written")
	}
	return all, nil
}
