// Package layers keeps the states of a space in a file, and reads them back by
// memory map. It knows states as numbers only; what they mean is the business of
// the definition that the file carries.
//
// # Format, version 1
//
// Numbers are little-endian, lengths in bytes. A file is a header page, sections,
// and sums:
//
//	0          header, 4096 bytes
//	4096       section "set": one bit per number, bit i%8 of byte i/8
//	...        section "meta": a JSON object, see Meta
//	...        sums: CRC32C of each 64 KiB from 4096 on, 4 bytes each
//
// Sections and sums start at multiples of 4096; the bytes in between are zero. The
// last block that is summed may be shorter; it ends where the sums begin. The
// header is
//
//	0     8    "PAGODA" 1a 0a
//	8     4    version of the format
//	12    4    number of sections
//	16    8    length of the file
//	24    8    offset of the sums
//	32    4    CRC32C of the sums, to the end of the file
//	64    32   for each section: name, padded with zeros to 16; offset; length
//	4092  4    CRC32C of the bytes before
//
// so that every byte of the file is under a checksum. The header is written last:
// while it is all zeros the file is unfinished.
package layers
