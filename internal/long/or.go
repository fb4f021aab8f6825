package long

// Or returns all if tests may take long, and else quick.
func Or[T any](all, quick T) T {
	if Tests {
		return all
	}
	return quick
}
