package cells

import "fmt"

// A SyntaxError says where a text of cells cannot be read, and why.
type SyntaxError struct {
	Line, Col int // from 1; Line is 0 when the text has one line only
	Reason    string
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("column %d: %s", e.Col, e.Reason)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Col, e.Reason)
}
