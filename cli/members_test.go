package cli_test

import (
	"context"
	"errors"
	"testing"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/puzzle/peg"
	_ "pagoda/run/all"
	"pagoda/statespace"
)

// cancelling ends a context at the first write.
type cancelling struct{ end func() }

func (c cancelling) Write(p []byte) (int, error) {
	c.end()
	return len(p), nil
}

// A list ends with its context, also if what it visits goes on for ever.
func TestWriteMembersEnds(t *testing.T) {
	sp, err := peg.Lookup("peg/4x4")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	describe := func(x statespace.Index) (ask.Member, error) { return ask.NewMember(sp, x), nil }
	cmd := &cobra.Command{}
	cmd.SetContext(ctx)
	cmd.SetOut(cancelling{func() { cancel(enough) }})
	err = cli.WriteMembers(cmd, describe, 0, func(yield func(statespace.Index, error) bool) {
		for yield(63, nil) {
		}
	})
	if !errors.Is(err, enough) {
		t.Errorf("%v, want %v", err, enough)
	}
}
