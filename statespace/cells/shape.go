package cells

// SameShape reports whether two lists of cells, each row by row from the top left, are the same but
// for the rows above and the columns to the left of them. So a drawing may have margins or not.
func SameShape(a, b []Cell) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Row-a[0].Row != b[i].Row-b[0].Row || a[i].Col-a[0].Col != b[i].Col-b[0].Col {
			return false
		}
	}
	return true
}
