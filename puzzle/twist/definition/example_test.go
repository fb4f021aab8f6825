package definition_test

import (
	"fmt"

	"pagoda/puzzle/twist/definition"
)

func Example() {
	p, err := definition.Parse("name: rings\nleft = (1 2 3 4)\nright = (3 5 6)\nsolved: AABBCC\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range p.Moves {
		fmt.Print(m.Name, ":")
		for to, from := range m.Sets[0] {
			fmt.Printf(" %d<-%d", to+1, from.Place+1)
		}
		fmt.Println()
	}
	_, err = definition.Parse("Name rings\nSet pieces 6 1\nSolved\nEnd\nMove left\npieces\n4 1 2 2 5 6\nEnd\n")
	fmt.Println(err)
	// Output:
	// left: 1<-4 2<-1 3<-2 4<-3 5<-5 6<-6
	// right: 1<-1 2<-2 3<-6 4<-4 5<-3 6<-5
	// line 7, column 7: set pieces: 2 is there twice: expected each number from 1 to 6 once
}
