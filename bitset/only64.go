//go:build 386 || arm || mips || mipsle

package bitset

// Numbers of states, files and tables are larger than 32 bits.
const _ = pagoda_needs_a_64_bit_system
