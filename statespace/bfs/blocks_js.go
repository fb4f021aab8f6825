package bfs

// expandBlock leaves the moves to expand: so programs for a browser, whose spaces are small, are smaller.
func (w *worker) expandBlock(uint64, uint64, *[]uint64) bool { return false }
