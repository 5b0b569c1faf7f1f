package service

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	pb "github.com/zkatbench/zkatbench/node/validationpb"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// Bounds of a connection. The memory of a connection is at most streamsOfConnection
// messages in calls, and as many requests of streams.
const (
	streamsOfConnection = 256
	requestsOfStream    = 256
	envelope            = 1 << 10 // bytes of a message without its request
)

// NewServer returns a gRPC server for the service, with health and reflection. A nil
// tls means no TLS. Requests above the default limit of bytes (maxRequestBytes) are
// refused before they are read.
func NewServer(s *Service, tls credentials.TransportCredentials) (*grpc.Server, *health.Server) {
	options := []grpc.ServerOption{
		grpc.MaxRecvMsgSize(request.DefaultResources.MaxRequestBytes + envelope),
		grpc.MaxConcurrentStreams(streamsOfConnection),
		grpc.MaxHeaderListSize(16 << 10),
		grpc.ConnectionTimeout(10 * time.Second),
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: 10 * time.Minute, Time: time.Minute, Timeout: 20 * time.Second}),
		grpc.WaitForHandlers(true),
	}
	if tls != nil {
		options = append(options, grpc.Creds(tls))
	}
	server, state := grpc.NewServer(options...), health.NewServer()
	pb.RegisterValidationServer(server, handler{service: s})
	healthpb.RegisterHealthServer(server, state)
	reflection.Register(server)
	return server, state
}

// handler implements pb.ValidationServer.
type handler struct {
	pb.UnimplementedValidationServer
	service *Service
}

// Submit implements pb.ValidationServer.
func (h handler) Submit(ctx context.Context, in *pb.Submission) (*pb.Verdict, error) {
	if err := known(in); err != nil {
		return nil, err
	}
	v, err := h.service.Submit(ctx, in.GetAnchor(), in.GetRequest())
	if err != nil {
		return nil, withCode(err)
	}
	return message(in.GetAnchor(), v), nil
}

// Stream implements pb.ValidationServer. At most requestsOfStream requests of a stream
// are in progress; then the stream is not read.
func (h handler) Stream(stream grpc.BidiStreamingServer[pb.Submission, pb.Verdict]) error {
	ctx, cancel := context.WithCancelCause(stream.Context())
	defer cancel(nil)
	var sending sync.Mutex
	var inProgress sync.WaitGroup
	defer inProgress.Wait()
	free := make(chan struct{}, requestsOfStream)
	for {
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		in, err := stream.Recv()
		if err == nil {
			err = known(in)
		}
		if errors.Is(err, io.EOF) {
			inProgress.Wait()
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		inProgress.Go(func() {
			defer func() { <-free }()
			v, err := h.service.Submit(ctx, in.GetAnchor(), in.GetRequest())
			var out *pb.Verdict
			switch {
			case errors.Is(err, ErrBusy):
				out = &pb.Verdict{Anchor: in.GetAnchor(), Busy: true}
			case err != nil:
				cancel(withCode(err))
				return
			default:
				out = message(in.GetAnchor(), v)
			}
			sending.Lock()
			defer sending.Unlock()
			if err := stream.Send(out); err != nil {
				cancel(err)
			}
		})
	}
}

// known refuses messages with fields that this version does not know.
func known(in *pb.Submission) error {
	if len(in.ProtoReflect().GetUnknown()) > 0 {
		return status.Error(codes.InvalidArgument, "submission has unknown fields")
	}
	return nil
}

func message(anchor string, v Verdict) *pb.Verdict {
	out := &pb.Verdict{Anchor: anchor, Accepted: v.Err == nil, Block: v.Block}
	if v.Err != nil {
		out.Rule, out.Reason = "ledger", v.Err.Error()
		if refused := new(validator.RefusedError); errors.As(v.Err, &refused) {
			out.Rule = refused.Rule
		}
	}
	return out
}

// withCode returns the gRPC status of a request without verdict.
func withCode(err error) error {
	switch {
	case errors.Is(err, ErrBusy):
		return status.Error(codes.ResourceExhausted, err.Error())
	case errors.Is(err, ErrStopped):
		return status.Error(codes.Unavailable, err.Error())
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return status.FromContextError(err).Err()
	}
	return status.Error(codes.Unavailable, err.Error()) // the store: the block is not applied
}
