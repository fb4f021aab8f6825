package formula

// Number returns the value of another expression for a row. That of a Whole is rounded beyond 2^53.
func (f *Formula) Number(r *Row) float64 { return f.asFraction()(r) }
