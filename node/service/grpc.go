package service

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

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

// ServerOptions configure a server.
type ServerOptions struct {
	TLS  credentials.TransportCredentials // nil: plain text
	Idle time.Duration                    // connections and streams without requests end; default one minute
}

// NewServer returns a gRPC server for the service, with health and reflection. Requests above
// the default limit of bytes (maxRequestBytes) are refused before they are read.
func NewServer(s *Service, o ServerOptions) (*grpc.Server, *health.Server) {
	o.Idle = cmp.Or(o.Idle, time.Minute)
	options := []grpc.ServerOption{
		grpc.MaxRecvMsgSize(request.DefaultResources.MaxRequestBytes + envelope),
		grpc.MaxConcurrentStreams(streamsOfConnection),
		grpc.MaxHeaderListSize(16 << 10),
		grpc.ConnectionTimeout(10 * time.Second),
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: o.Idle, Time: time.Minute,
			Timeout: 20 * time.Second}),
		grpc.WaitForHandlers(true),
	}
	if o.TLS != nil {
		options = append(options, grpc.Creds(o.TLS))
	}
	server, state := grpc.NewServer(options...), health.NewServer()
	pb.RegisterValidationServer(server, handler{service: s, idle: o.Idle})
	healthpb.RegisterHealthServer(server, state)
	reflection.Register(server)
	return server, state
}

// handler implements pb.ValidationServer.
type handler struct {
	pb.UnimplementedValidationServer
	service *Service
	idle    time.Duration
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

// Status implements pb.ValidationServer.
func (h handler) Status(_ context.Context, in *pb.StatusRequest) (*pb.StatusReport, error) {
	if err := known(in); err != nil {
		return nil, err
	}
	v, found, err := h.service.Status(in.GetAnchor())
	switch {
	case err != nil:
		return nil, withCode(err)
	case !found:
		return &pb.StatusReport{}, nil
	}
	r := &pb.StatusReport{Outcome: pb.StatusReport_ACCEPTED, Verdict: message(in.GetAnchor(), v)}
	if v.Err != nil {
		r.Outcome = pb.StatusReport_REFUSED
	}
	return r, nil
}

// submissions are the requests of a stream. Each holds a place of inProgress from before it is
// received until its answer is taken, so answers always has room.
type submissions struct {
	grpc.BidiStreamingServer[pb.Submission, pb.Verdict]
	service    *Service
	inProgress chan struct{}
	answers    chan streamed
	received   atomic.Int64 // when the last one was received, in ns
}

// streamed is the answer to a request of a stream.
type streamed struct {
	verdict *pb.Verdict
	err     error // ends the stream
}

// Stream implements pb.ValidationServer. At most requestsOfStream requests of a stream
// are in progress; then the stream is not read.
func (h handler) Stream(stream grpc.BidiStreamingServer[pb.Submission, pb.Verdict]) error {
	s := &submissions{
		BidiStreamingServer: stream, service: h.service,
		inProgress: make(chan struct{}, requestsOfStream), answers: make(chan streamed, requestsOfStream),
	}
	s.received.Store(time.Now().UnixNano())
	ended := make(chan error, 1)
	go func() { ended <- s.receive() }()
	quiet := time.NewTicker(h.idle / 4)
	defer quiet.Stop()
	var end error
	for reading := true; reading || len(s.inProgress) > 0; {
		select {
		case a := <-s.answers:
			<-s.inProgress
			if a.err == nil {
				a.err = stream.Send(a.verdict)
			}
			if a.err != nil {
				return a.err
			}
		case end = <-ended:
			reading = false
		case now := <-quiet.C:
			answered := len(s.inProgress) <= 1 // receive holds a place while it waits
			if reading && answered && now.UnixNano()-s.received.Load() >= int64(h.idle) {
				return status.Error(codes.DeadlineExceeded, "stream is idle")
			}
		case <-stream.Context().Done():
			return stream.Context().Err()
		}
	}
	return end
}

// receive submits the requests of a stream until it ends. The error is nil if the client ended
// it.
func (s *submissions) receive() error {
	for {
		select {
		case s.inProgress <- struct{}{}:
		case <-s.Context().Done():
			return s.Context().Err()
		}
		in, err := s.Recv()
		if err == nil {
			err = known(in)
		}
		if err == nil {
			s.received.Store(time.Now().UnixNano())
			err = s.submit(in)
		}
		if err != nil {
			<-s.inProgress
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// submit gives a request to the service. The error says that no answer will come.
func (s *submissions) submit(in *pb.Submission) error {
	err := s.service.enter(s.Context(), in.GetAnchor(), in.GetRequest(), func(a answer) {
		if a.err != nil {
			s.answers <- streamed{err: withCode(a.err)}
		} else {
			s.answers <- streamed{verdict: message(in.GetAnchor(), a.verdict)}
		}
	})
	switch {
	case errors.Is(err, ErrBusy):
		s.answers <- streamed{verdict: &pb.Verdict{Anchor: in.GetAnchor(), Busy: true}}
	case err != nil:
		return withCode(err)
	}
	return nil
}

// known refuses messages with fields that this version does not know.
func known(in proto.Message) error {
	if len(in.ProtoReflect().GetUnknown()) > 0 {
		return status.Error(codes.InvalidArgument, "message has unknown fields")
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
