package bfs

// ShareLevels makes every level of at least n states worth another thread, until restore is
// called.
func ShareLevels(n uint64) (restore func()) {
	old := sharedLevel
	sharedLevel = n
	return func() { sharedLevel = old }
}

// DenseBlock makes blocks of at least n states dense, until restore is called.
func DenseBlock(n int) (restore func()) {
	old := denseBlock
	denseBlock = n
	return func() { denseBlock = old }
}
