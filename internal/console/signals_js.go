package console

import "os"

// ending is empty: no signals come to a program in a browser.
var ending []os.Signal
