// Package layers keeps the states of a space in a file, and reads them back by
// memory map. It knows states as numbers; what they mean is told by the definition of
// the space that the file carries.
//
// A file is a header page; page-aligned sections, "meta" with a JSON object, see Meta, and
// those of its store; and the CRC32C of each 64 KiB of these. docs/format.md gives every
// byte. A Store says how the states are kept: as one bit each, in whole or folded by
// symmetry, as pointers to the move before, as bitmaps of the layers, as a trie, or
// compressed to share. All of them are read as a bitset.Reader.
//
// Writer makes a file in full or not at all. Open refuses one that is cut short,
// unfinished, or of another version; a File checks each block before it answers from
// it, and all of them by Check.
package layers
