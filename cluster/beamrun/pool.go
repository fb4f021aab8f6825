package beamrun

import (
	"context"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"sync"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"google.golang.org/grpc"
)

// A pool starts worker processes when a runner asks for them. They are this program, see Work. Between
// the runner and the workers it passes on what they say of bundles, see control.go; the elements go
// from one to the other directly.
type pool struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer
	server  *grpc.Server
	address string
	mu      sync.Mutex
	workers map[string]*process
	closed  bool
}

// A process is a worker process, and where the runner controls it.
type process struct {
	*exec.Cmd
	control string
}

func newPool() (*pool, error) {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return nil, err
	}
	p := &pool{server: grpc.NewServer(grpc.MaxRecvMsgSize(math.MaxInt32)), address: l.Addr().String(), workers: make(map[string]*process)}
	fnpb.RegisterBeamFnExternalWorkerPoolServer(p.server, p)
	fnpb.RegisterBeamFnControlServer(p.server, &control{pool: p})
	go p.server.Serve(l)
	return p, nil
}

// endpoint returns the address of the pool.
func (p *pool) endpoint(context.Context) string { return p.address }

// StartWorker implements fnpb.BeamFnExternalWorkerPoolServer.
func (p *pool) StartWorker(_ context.Context, req *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := req.GetWorkerId()
	if p.closed || p.workers[id] != nil {
		return &fnpb.StartWorkerResponse{Error: fmt.Sprintf("worker %s cannot be started: it runs, or the pool is closed", id)}, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "--worker=true", "--id="+id, "--logging_endpoint="+req.GetLoggingEndpoint().GetUrl(),
		"--control_endpoint="+p.address)
	cmd.Stderr = os.Stderr
	endWithParent(cmd)
	if err := cmd.Start(); err != nil {
		return &fnpb.StartWorkerResponse{Error: fmt.Sprintf("worker %s cannot be started: %v", id, err)}, nil
	}
	p.workers[id] = &process{cmd, req.GetControlEndpoint().GetUrl()}
	go cmd.Wait()
	return &fnpb.StartWorkerResponse{}, nil
}

// StopWorker implements fnpb.BeamFnExternalWorkerPoolServer.
func (p *pool) StopWorker(_ context.Context, req *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if cmd := p.workers[req.GetWorkerId()]; cmd != nil {
		cmd.Process.Kill()
		delete(p.workers, req.GetWorkerId())
	}
	return &fnpb.StopWorkerResponse{}, nil
}

// close ends all workers.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	for _, cmd := range p.workers {
		cmd.Process.Kill()
	}
	p.mu.Unlock()
	p.server.Stop()
}
