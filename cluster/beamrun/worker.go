package beamrun

import (
	"flag"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
)

// Work does the work of a worker process and does not return, if this process was started as
// one. The main function calls it first.
func Work() {
	if slices.ContainsFunc(os.Args[1:], func(arg string) bool { return strings.TrimLeft(arg, "-") == "worker=true" }) {
		flag.Parse()
		beamlog.LogLevel = "error" // the runner shows what fails
		beamlog.SetLogger(&beamlog.Standard{Level: beamlog.SevError})
		beam.Init()
	}
}
