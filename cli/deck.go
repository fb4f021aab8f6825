package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pagoda/internal/console"
	"pagoda/internal/dealing"
	"pagoda/internal/lists"
	"pagoda/internal/suggest"
	"pagoda/render"
)

const (
	// deckSeed is the seed of the decks in the documents.
	deckSeed = 1
	// deckCount is how many cards a deck has if nothing else is said.
	deckCount = 40
	// deckColumns is how many cards a row of a sheet has if nothing else is said.
	deckColumns = 5
	// deckCell is the distance of cells if nothing else is said.
	deckCell = 28
)

// deckFlags are the flags of deck, and the kinds of decks.
type deckFlags struct {
	Picture
	kinds []*deckKind
	seed  uint64
	count int
	job   *Job
}

// A deckKind is a kind of decks.
type deckKind struct {
	*Dealing
	family string   // its name
	own    []string // the flags that no other kind has
	deal   Dealer
}

// deck returns the command that makes decks of puzzles, or nil if no family has one.
func (p *Program) deck() []*cobra.Command {
	f := new(deckFlags)
	for _, of := range p.Families.All() {
		for _, d := range p.of(of).Dealing {
			f.kinds = append(f.kinds, &deckKind{Dealing: d, family: of.Name})
		}
	}
	if len(f.kinds) == 0 {
		return nil
	}
	cmd := &cobra.Command{
		Use:   "deck " + strings.Join(f.names(), "|"),
		Short: "Make a deck of puzzles, from easy to hard",
		Long:  f.about(),
		Args:  console.Args(1, 1, "the name of a deck: "+suggest.Either(f.names())),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	cmd.ValidArgsFunction = cobra.FixedCompletions(f.names(), cobra.ShellCompDirectiveNoFileComp)
	f.Flags(cmd, deckCell, Pages)
	f.Titled(cmd, "svg, pdf and txt")
	for _, k := range f.kinds {
		cmd.Example += k.Example + "\n"
		k.add(cmd, len(f.kinds) > 1)
	}
	flags := cmd.Flags()
	flags.Uint64Var(&f.seed, "seed", deckSeed, "another seed makes another deck, the same one the same deck")
	flags.IntVar(&f.count, "count", deckCount, fmt.Sprintf("`N` cards, 1 to %d", dealing.MaxCount))
	console.Between(cmd, 1, dealing.MaxCount, "count")
	console.JSON(cmd, "one JSON object")
	f.job = NewJob(cmd, console.OfMachine)
	return []*cobra.Command{cmd}
}

// add adds the flags that only the kind has. If there are several kinds, their usage says which one they are for.
func (k *deckKind) add(cmd *cobra.Command, several bool) {
	before := make(map[string]bool)
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { before[flag.Name] = true })
	k.deal = k.Flags(cmd)
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if before[flag.Name] {
			return
		}
		k.own = append(k.own, flag.Name)
		if several {
			flag.Usage = "of " + k.About + ": " + flag.Usage
		}
	})
}

// names returns the names of the decks.
func (f *deckFlags) names() []string {
	return lists.Map(f.kinds, func(k *deckKind) string { return k.Name })
}

// about is the help of deck.
func (f *deckFlags) about() string {
	var s strings.Builder
	s.WriteString(`deck chooses puzzles from easy to hard, and prints them as cards, with solutions at the end.
-o writes a sheet of the cards, as SVG or PNG; a GIF plays all solutions. A PDF has cards to
print and cut out: nine of 63 by 88 mm on an A4 page, or N times N with --columns N, and on the
next page their backs with the solutions. Print it on both sides, turned about the long edge.
Each card is solved again, and its solution replayed by a checker of its own.
`)
	for _, k := range f.kinds {
		fmt.Fprintf(&s, "\n%s, %s:\n\n%s\n", k.Name, k.About, strings.Trim(k.Long, "\n"))
	}
	return strings.TrimRight(s.String(), "\n")
}

// run makes a deck.
func (f *deckFlags) run(cmd *cobra.Command, name string) error {
	i := slices.Index(f.names(), name)
	if i < 0 {
		return console.Usagef("there is no deck of %.40q: expected %s%s", name, suggest.Either(f.names()), suggest.Question(name, f.names()))
	}
	if err := f.check(cmd, f.kinds[i]); err != nil {
		return err
	}
	d, err := f.kinds[i].deal(cmd.Context(), Deal{Seed: f.seed, Count: f.count, Threads: f.job.Threads(), Memory: f.job.Memory()})
	if err != nil {
		return err
	}
	return f.Answer(cmd, func() error {
		if f.Format != "txt" {
			return f.draw(cmd, d)
		}
		return f.WriteWhole(cmd, func(w io.Writer) error { return f.write(w, d) })
	}, func() any { return f.answer(d) })
}

// check refuses flags that make no sense for a kind of decks.
func (f *deckFlags) check(cmd *cobra.Command, k *deckKind) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		for _, other := range f.kinds {
			if other != k && slices.Contains(other.own, flag.Name) {
				err = cmp.Or(err, console.Usagef("--%s is for %s; this deck is of the family %s (%s)", flag.Name, other.About, k.family, k.About))
			}
		}
	})
	if err = cmp.Or(err, f.FindFormat(cmd)); err != nil {
		return err
	}
	return cmp.Or(
		console.Refuse(cmd, console.AsJSON(cmd) && f.Out == "" && f.Format != "txt", "format", "--%s is for a picture, and --json prints to stdout: name a file for the picture with -o"),
		f.CheckFlags(cmd))
}

// A deckAnswer is what deck prints as JSON.
type deckAnswer struct {
	Deck  string `json:"deck"`
	Seed  uint64 `json:"seed"`
	Cards []any  `json:"cards"`
}

func (f *deckFlags) answer(d *Deck) deckAnswer {
	return deckAnswer{d.Name, f.seed, lists.Map(d.Cards, func(c Card) any { return c.Record })}
}

// title says which deck it is.
func (f *deckFlags) title(d *Deck) string {
	return cmp.Or(f.Title, fmt.Sprintf("%s, seed %d: %s", d.Name, f.seed, Count(uint64(len(d.Cards)), d.Unit)))
}

// panels returns the cards as panels, with their levels if they are meant to stand alone.
func panels(d *Deck, levels bool) (all []render.Panel) {
	for i, c := range d.Cards {
		level := ""
		if levels {
			level = c.Level + ": "
		}
		all = append(all, render.Panel{Drawing: c.Drawing, Caption: fmt.Sprintf("%d. %s%s", i+1, level, c.About)})
	}
	return all
}

// draw writes a sheet of the cards, or as a GIF their solutions.
func (f *deckFlags) draw(cmd *cobra.Command, d *Deck) error {
	films := lists.Map(d.Cards, func(c Card) render.Film { return c.Film })
	f.Title = f.title(d)
	if f.Format == Pages {
		return f.WriteCards(cmd, f.cards(d))
	}
	f.Columns = cmp.Or(f.Columns, deckColumns)
	return f.Write(cmd, panels(d, true), films...)
}

// cards returns the cards to print.
func (f *deckFlags) cards(d *Deck) (all []render.Card) {
	for i, panel := range panels(d, true) {
		c := &d.Cards[i]
		back := []string{f.Title, panel.Caption, fmt.Sprintf("difficulty %.1f, solutions: %s", c.Difficulty, c.Solutions), "", strings.Join(c.Solution, " ")}
		all = append(all, render.Card{Panel: panel, Back: back})
	}
	return all
}

// write writes the cards, level by level, and then the solutions.
func (f *deckFlags) write(w io.Writer, d *Deck) error {
	fmt.Fprintln(w, f.title(d))
	all := panels(d, false)
	for first := 0; first < len(all); {
		end := first + 1
		for end < len(all) && d.Cards[end].Level == d.Cards[first].Level {
			end++
		}
		fmt.Fprintf(w, "\n%s\n\n", d.Cards[first].Level)
		if err := render.Text(w, all[first:end], f.Columns, render.Style{}); err != nil {
			return err
		}
		first = end
	}
	fmt.Fprint(w, "\nsolutions\n\ncard  difficulty  solutions  one of them\n")
	for i, c := range d.Cards {
		fmt.Fprintf(w, "%4d  %10.1f  %9s  %s\n", i+1, c.Difficulty, c.Solutions, strings.Join(c.Solution, " "))
	}
	return nil
}
