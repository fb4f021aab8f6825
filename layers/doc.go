// Package layers keeps the states of a space in a file and reads them back by memory map. It
// knows states as numbers; the definition of the space, which the file carries, says what they
// mean.
//
// A file is a header page, page-aligned sections, and checksums: the CRC32C of each stretch of
// 64 KiB. The section "meta" is a JSON object, see Meta; the other sections belong to the
// store. docs/reference/format.md gives every byte.
//
// A Store says how the states are kept: as one bit each, folded by symmetry, as distances, as
// pointers to the move before, as bitmaps of the layers, as a trie, or compressed to share. All
// of them are read as a bitset.Reader. A checkpoint is a file of the same format. A program names
// the stores that it has: see Use.
//
// A Writer makes a file as a whole or not at all. Open refuses a file that is cut short,
// unfinished, or of another version; a File checks each stretch before it answers from it, and
// Check checks all of them. Whatever is wrong with a file is a *FileError.
//
// A file may lie in pieces, which a list names: see Compose. Open maps them as one file.
//
// The files of the package: format.go has the header and the metadata, write.go the Writer,
// read.go the File. stores.go describes the stores; each has a file of its own. stream.go and
// search.go have checkpoints, pieces.go and compose.go files in pieces.
package layers
