package console

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
)

// Memory is the flag --mem: how many bytes a command may take, such as 8GiB; 0 is the
// default of the command.
type Memory uint64

// What commands may take without --mem.
const (
	OfMachine = "7/8 of the memory"
	// OfFile is for commands that open a file, which may be from anyone: see layers.File.Memory.
	OfFile = "1GiB and 512 times the length of the file, at most 7/8 of the memory"
)

// Flag adds the flag to a command.
func (m *Memory) Flag(cmd *cobra.Command, usual string) {
	cmd.Flags().Var(m, "mem", "the command may take this `SIZE` of memory, such as 8GiB; it is refused if it needs more (default: "+usual+")")
}

// MemoryOf returns the flag of a command, which must have it.
func MemoryOf(cmd *cobra.Command) uint64 {
	v := cmd.Flags().Lookup("mem").Value
	if once, ok := v.(*onceValue); ok {
		v = once.Value
	}
	return uint64(*v.(*Memory))
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
		return fmt.Errorf("expected a size such as 512MiB or 8GiB")
	}
	*m = Memory(n)
	return nil
}

// Type implements pflag.Value.
func (m *Memory) Type() string { return "SIZE" }
