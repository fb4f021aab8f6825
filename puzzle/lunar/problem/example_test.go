package problem_test

import (
	"fmt"

	"pagoda/puzzle/lunar/problem"
)

func Example() {
	p, err := problem.Parse("lunar:\nname: Two exits\npiece X: red Spacepilot\n1+.X2\n.. ..\n+.3..\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Name, p.Board.Format(p.Drawing), p.Pieces['X'])
	_, err = problem.Parse("lunar:\n..X\n.1+\n..?\n")
	fmt.Println(err)
	// Output:
	// Two exits 1+.X2/..../+.3.. {red Spacepilot}
	// line 4, column 3: expected a cell: ., +, a capital letter (not O), a digit (not 0) or o; found '?'
}
