package beamrun

import (
	"context"
	"fmt"
	"io"
	"time"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
)

// A control passes on instructions and responses, without metrics: each worker numbers its own from 1, and
// prism takes equal numbers of two workers for the same metric.
type control struct {
	fnpb.UnimplementedBeamFnControlServer
	pool *pool
}

// dial connects to the runner of a worker, whose name the context has.
func (c *control) dial(from context.Context) (ctx context.Context, conn *grpc.ClientConn, err error) {
	id, err := grpcx.ReadWorkerID(from)
	if err != nil {
		return nil, nil, err
	}
	c.pool.mu.Lock()
	p := c.pool.workers[id]
	c.pool.mu.Unlock()
	if p == nil {
		return nil, nil, fmt.Errorf("the pool has started no worker %s", id)
	}
	ctx = grpcx.WriteWorkerID(from, id)
	conn, err = grpcx.Dial(ctx, p.control, time.Minute)
	return ctx, conn, err
}

// GetProcessBundleDescriptor implements fnpb.BeamFnControlServer.
func (c *control) GetProcessBundleDescriptor(worker context.Context, req *fnpb.GetProcessBundleDescriptorRequest) (*fnpb.ProcessBundleDescriptor, error) {
	ctx, conn, err := c.dial(worker)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return fnpb.NewBeamFnControlClient(conn).GetProcessBundleDescriptor(ctx, req)
}

// Control implements fnpb.BeamFnControlServer.
func (c *control) Control(worker fnpb.BeamFnControl_ControlServer) error {
	ctx, conn, err := c.dial(worker.Context())
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // when the worker is gone, the runner notices
	runner, err := fnpb.NewBeamFnControlClient(conn).Control(ctx)
	if err != nil {
		return err
	}
	var group errgroup.Group
	group.Go(func() error {
		defer cancel()
		return pass(worker.Recv, func(r *fnpb.InstructionResponse) error {
			dropMetrics(r)
			return runner.Send(r)
		})
	})
	group.Go(func() error {
		defer cancel()
		return pass(runner.Recv, worker.Send)
	})
	if err := group.Wait(); err != nil && err != io.EOF {
		return err
	}
	return nil
}

// pass sends on what comes, until there is an error.
func pass[M any](receive func() (M, error), send func(M) error) error {
	for {
		m, err := receive()
		if err == nil {
			err = send(m)
		}
		if err != nil {
			return err
		}
	}
}

// dropMetrics takes the metrics out of a response.
func dropMetrics(r *fnpb.InstructionResponse) {
	if b := r.GetProcessBundle(); b != nil {
		b.MonitoringData = nil
	}
	if b := r.GetProcessBundleProgress(); b != nil {
		b.MonitoringData = nil
	}
}
