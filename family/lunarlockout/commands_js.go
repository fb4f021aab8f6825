package lunarlockout

import "pagoda/family"

// forCommands returns nothing: a browser has no commands.
func forCommands() (none family.Commands) { return none }
