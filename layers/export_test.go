package layers

import "encoding/binary"

// MendHeader makes the checksum of the header right.
func MendHeader(data []byte) {
	if len(data) >= pageSize {
		binary.LittleEndian.PutUint32(data[pageSize-4:], checksum(data[:pageSize-4]))
	}
}

// MendAll makes all checksums right, as far as the header tells where they are.
func MendAll(data []byte) {
	if len(data) < pageSize {
		return
	}
	sums := binary.LittleEndian.Uint64(data[24:])
	if sums >= pageSize && sums < uint64(len(data)) {
		for b := uint64(pageSize); b < sums; b += blockSize {
			at := sums + (b-pageSize)/blockSize*4
			if at+4 <= uint64(len(data)) {
				binary.LittleEndian.PutUint32(data[at:], checksum(data[b:min(b+blockSize, sums)]))
			}
		}
		binary.LittleEndian.PutUint32(data[32:], checksum(data[sums:]))
	}
	MendHeader(data)
}
