package layers

// mapList does nothing: a tab in a browser makes its own files, and none in pieces.
func (f *File) mapList() (is bool, err error) { return false, nil }
