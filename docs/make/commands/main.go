// Command commands writes docs/reference/commands.md, the reference of all commands of reach and query, from
// their help. Run it in the root of the module after a change of a help text or a flag:
//
//	go run ./docs/make/commands
package main

import (
	"fmt"
	"os"
)

//go:generate go -C ../../.. run ./docs/make/commands

// pageFile is the page, from the root of the module.
const pageFile = "docs/reference/commands.md"

func main() {
	if err := os.WriteFile(pageFile, []byte(page()), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, "commands:", err)
		os.Exit(1)
	}
}
