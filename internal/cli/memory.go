package cli

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
)

// Memory is the flag --mem: how many bytes a command may take, such as 8GiB; 0 is what is
// usual.
type Memory uint64

// Flag adds the flag to a command.
func (m *Memory) Flag(cmd *cobra.Command) {
	cmd.Flags().Var(m, "mem", "the memory that may be used, such as 8GiB (default: 7/8 of the machine's)")
}

// String implements pflag.Value.
func (m *Memory) String() string {
	if *m == 0 {
		return ""
	}
	return humanize.IBytes(uint64(*m))
}

// Set implements pflag.Value.
func (m *Memory) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil || n == 0 {
		return fmt.Errorf("%q is not a size such as 512MiB or 8GiB", text)
	}
	*m = Memory(n)
	return nil
}

// Type implements pflag.Value.
func (m *Memory) Type() string { return "SIZE" }
