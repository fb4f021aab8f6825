// Package beamrun runs pipelines of Apache Beam: on prism, the runner that is part of Beam for Go
// and needs nothing installed, or on any runner that Beam for Go knows.
package beamrun

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/spark"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/runnerlib"
	"google.golang.org/protobuf/proto"
)

// Prism is the runner that is part of this program.
const Prism = "prism"

// Runners are the runners that this program has.
var Runners = []string{Prism, "universal", "flink", "spark", "dataflow"}

// Options say where pipelines run.
type Options struct {
	// Runner is Prism, the default, or another runner of Beam, such as flink or dataflow.
	Runner string
	// Endpoint is the address of the job service of another runner.
	Endpoint string
	// Workers is how many worker processes Prism starts. With 0, the work is done in this process.
	Workers int
	// Flags are flags of Beam, such as environment_type=DOCKER.
	Flags []string
	// Verbose passes on what Beam logs.
	Verbose bool
}

// mostWorkers bounds the worker processes of prism, which runs at most eight bundles at once.
const mostWorkers = 64

// A Runner runs pipelines, one at a time.
type Runner struct {
	o     Options
	jobs  jobpb.JobServiceClient // of Prism
	pool  *pool                  // of worker processes
	local *extworker.Loopback    // the workers of this process
	count int
}

// New starts a runner. End it by Close.
func New(ctx context.Context, o Options) (*Runner, error) {
	o.Runner = cmp.Or(o.Runner, Prism)
	for _, f := range o.Flags {
		name, value, ok := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if !ok {
			value = "true"
		}
		if err := flag.Set(name, value); err != nil {
			return nil, fmt.Errorf("the flag %q of Beam: %w", f, err)
		}
	}
	if !beam.Initialized() {
		beam.Init()
	}
	if !o.Verbose {
		quiet()
	}
	r := &Runner{o: o}
	if o.Runner != Prism {
		if o.Workers > 0 {
			return nil, fmt.Errorf("worker processes are for the runner %s; the runner %s has workers of its own", Prism, o.Runner)
		}
		if err := findEndpoint(o); err != nil {
			return nil, err
		}
		return r, sendThisProgram()
	}
	if o.Endpoint != "" {
		return nil, fmt.Errorf("the runner %s is part of this program and has no endpoint: for a server of Beam use the runner universal", Prism)
	}
	if o.Workers < 0 || o.Workers > mostWorkers {
		return nil, fmt.Errorf("prism starts up to %d worker processes, not %d", mostWorkers, o.Workers)
	}
	var err error
	if o.Workers > 0 {
		r.pool, err = newPool()
	} else {
		r.local, err = extworker.StartLoopback(context.WithoutCancel(ctx), 0) // prism panics when a deadline ends them
	}
	if err == nil {
		r.jobs, err = prism.CreateJobServer(ctx, prism.Options{})
	}
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("cannot start prism: %w", err)
	}
	return r, nil
}

// findEndpoint looks for the job service of a runner, which Beam would wait for. Dataflow has none.
func findEndpoint(o Options) error {
	if o.Runner == "dataflow" {
		return nil
	}
	if o.Endpoint == "" {
		return fmt.Errorf("the runner %s needs the address of its job service: name it with --endpoint, such as localhost:8099", o.Runner)
	}
	conn, err := net.DialTimeout("tcp", o.Endpoint, 10*time.Second)
	if err != nil {
		return fmt.Errorf("the job service of the runner %s does not answer: %w; start it, or name another with --endpoint", o.Runner, err)
	}
	*jobopts.Endpoint = o.Endpoint
	return conn.Close()
}

// sendThisProgram makes this program the one that workers elsewhere run, unless a flag names another.
func sendThisProgram() (err error) {
	if *jobopts.WorkerBinary == "" && runtime.GOOS == "linux" {
		*jobopts.WorkerBinary, err = os.Executable()
	}
	return err
}

// quiet drops what Beam logs. What fails comes back as an error.
func quiet() {
	beamlog.SetLogger(&beamlog.Standard{Level: beamlog.SevFatal})
	slog.SetDefault(slog.New(slog.DiscardHandler))
}

// Close ends the runner and its workers.
func (r *Runner) Close() {
	if r.pool != nil {
		r.pool.close()
	}
	if r.local != nil {
		r.local.Stop(context.Background())
	}
}

// Lanes returns into how many lanes a pipeline should divide its work. Prism runs the steps of a lane
// one after another in one worker process. Other runners divide the work by themselves.
func (r *Runner) Lanes() int { return max(1, r.o.Workers) }

// Lane returns the scope of the transforms of a lane.
func Lane(s beam.Scope, lane int) beam.Scope { return s.Scope(fmt.Sprintf("%s%d", lanePrefix, lane)) }

const lanePrefix = "lane-"

// Run builds a pipeline and runs it to its end. When ctx ends, the pipeline is cancelled, and Run
// returns the cause.
func (r *Runner) Run(ctx context.Context, name string, build func(s beam.Scope)) error {
	p, s := beam.NewPipelineWithRoot()
	build(s)
	var err error
	if r.jobs != nil {
		err = r.onPrism(ctx, name, p)
	} else {
		_, err = beam.Run(ctx, r.o.Runner, p)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (r *Runner) onPrism(ctx context.Context, name string, p *beam.Pipeline) error {
	edges, _, err := p.Build()
	if err != nil {
		return err
	}
	at := r.pool.endpoint
	if r.local != nil {
		at = r.local.EnvironmentConfig
	}
	environment, err := graphx.CreateEnvironment(ctx, graphx.URNEnvExternal, at)
	if err != nil {
		return err
	}
	environment.Dependencies = nil // the workers are this program
	pipeline, err := graphx.Marshal(edges, &graphx.Options{Environment: environment})
	if err != nil {
		return err
	}
	if r.pool != nil {
		divide(pipeline)
	}
	r.count++
	// Without metrics, prism would take each bundle for a slow one and split it.
	o := &runnerlib.JobOptions{Name: fmt.Sprintf("%s-%d", name, r.count), Loopback: true, Experiments: []string{"prism_disable_sdf_split"}}
	id, _, token, err := runnerlib.Prepare(ctx, r.jobs, pipeline, o)
	if err != nil {
		return err
	}
	job, err := runnerlib.Submit(ctx, r.jobs, id, token)
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- runnerlib.WaitForCompletion(context.WithoutCancel(ctx), r.jobs, job) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		r.jobs.Cancel(context.WithoutCancel(ctx), &jobpb.CancelJobRequest{JobId: job})
		<-done
		return context.Cause(ctx)
	}
}

// divide gives the transforms of each lane an environment of their own, for which prism starts a
// worker process. All transforms that workers do are in a lane.
func divide(pipeline *pipepb.Pipeline) {
	all := pipeline.GetComponents()
	shared := maps.Clone(all.GetEnvironments())
	for _, t := range all.GetTransforms() {
		lane, _, ok := strings.Cut(t.GetUniqueName(), "/")
		lane, _, _ = strings.Cut(lane, "'") // Beam numbers scopes of one name
		old := shared[t.GetEnvironmentId()]
		if !ok || !strings.HasPrefix(lane, lanePrefix) || old == nil {
			continue
		}
		if all.Environments[lane] == nil {
			all.Environments[lane] = proto.Clone(old).(*pipepb.Environment)
		}
		t.EnvironmentId = lane
	}
	for name := range shared {
		delete(all.Environments, name)
	}
}

// Name returns the name of the runner.
func (r *Runner) Name() string { return r.o.Runner }

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
