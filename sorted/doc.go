// Package sorted keeps static sorted lists of codes in few bytes, and reads them where
// they lie: in memory, in a memory map, or in a file.
//
// A code is a fixed number of 64-bit words, from 1 to 8. Codes compare as big numbers,
// word 0 being the most significant. A list holds distinct codes in increasing order; the
// rank of a code is the number of codes before it.
//
//   - A Writer makes a list from codes that come in increasing order, in one pass.
//   - Over and Open read a list. List.At returns the code of a rank, List.Rank the rank of
//     a code.
//   - A Cursor reads a whole list, chunk by chunk, and skips chunks that are not needed.
//   - Sort and Distinct sort codes in memory. A Merger merges lists, or other sources of sorted
//     codes.
//
// # Format
//
// Numbers are little-endian. A list is the text "pagoda sorted 1\n", then chunks, the
// index and the footer:
//
//	chunk   4 bytes  CRC32C of the rest of the chunk
//	        1 byte   k, the parameter of the gaps
//	        1 byte   width, the bits of a trailing word
//	        bits     for each code but the first: its difference from the code before
//	index   for each chunk its first code, then the offset of the chunk
//	footer  8 bytes  number of words of a code
//	        8 bytes  number of codes
//	        8 bytes  offset of the index
//	        4 bytes  CRC32C of the index and the 24 bytes above
//	        4 bytes  "end\n"
//
// Each chunk but the last has 512 codes. Bits are taken from the lowest of each byte up.
// A difference starts at the first word in which the code is unlike the code before:
//
//   - If codes have more than one word: the number of words that follow that one, as so
//     many 0 bits and a 1.
//   - The gap, which is the difference of the two words less 1, in an exponential Golomb
//     code: let y be the gap plus 2^k, and n the place of its highest bit, from 0. Then come
//     n-k bits 0, a bit 1, and the n bits of y below its highest.
//   - The words that follow, width bits each.
//
// So a run of consecutive numbers takes a bit for each. The parameter k is the median
// length of the chunk's gaps in bits, less 1. It costs at most 0.03 bits a code more than
// the best k on the lists below, and takes one pass to find.
//
// Other codings were measured, in bits a code with 512 codes in a chunk and all of its
// overhead. The lists are levels of a breadth-first search. A tray is Century with all
// pieces told apart, a rank is a state's number among all placements, a field is 5 bits for
// each piece; the English board has a bit for each hole. The last list is random.
//
//	                 codes      Golomb   Rice  Elias-Fano  varint  group varint
//	tray, ranks      192,006      7.54   8.19        8.33    9.46         10.90
//	tray, fields     192,006     24.64  28.57       31.30   25.82         25.16
//	English board  4,138,302     11.17  11.63       11.66   13.90         14.06
//	consecutive    1,048,576      1.34   1.34        2.34    8.33         10.32
//	of 2^45        1,048,576     27.01  26.83       26.82   31.80         31.12
//
// Exponential Golomb codes win because the gaps of real levels are clustered: a few are far
// larger than the rest, which a Rice code or a common width pays for. A chunk of 256 codes
// costs 0.3 bits a code more, one of 1024 saves 0.15 and doubles the time of a look-up.
//
// # Damage
//
// Over and Open check the header, the footer, the checksum of the index, and that first
// codes and offsets increase. A chunk is checked each time it is decoded: its checksum, its
// length, and that codes increase up to the next chunk. What fails these checks is an error
// that wraps ErrDamaged. Bytes that are forged, with checksums that are right, cannot cause
// more than wrong codes in increasing order or such an error. Memory does not depend on what the
// bytes claim: a chunk's codes, and of a file one piece at a time.
package sorted
