package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"golang.org/x/net/netutil"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/zkatbench/zkatbench/node/adapter"
	"github.com/zkatbench/zkatbench/node/service"
	"github.com/zkatbench/zkatbench/node/store"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/params"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/request"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// server is a service with all that it needs.
type server struct {
	store           *store.Store
	service         *service.Service
	listen, metrics net.Listener // metrics may be nil
	transport       credentials.TransportCredentials
}

// serve runs the service until ctx ends. Everything that was accepted is answered.
func (s *settings) serve(ctx context.Context, stdout io.Writer) (err error) {
	var r server
	defer func() { err = errors.Join(err, r.close()) }()
	if err := s.start(&r); err != nil {
		return startError{err}
	}
	if r.metrics != nil {
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", r.service.Metrics())
		figures := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second,
			WriteTimeout: time.Minute, IdleTimeout: s.idle}
		defer figures.Close()
		go figures.Serve(s.limited(r.metrics))
		fmt.Fprintf(stdout, "metrics on http://%s/metrics\n", r.metrics.Addr())
	}
	server, health := service.NewServer(r.service, service.ServerOptions{TLS: r.transport, Idle: s.idle})
	health.SetServingStatus("", healthpb.HealthCheckResponse_SERVING)
	stopped := context.AfterFunc(ctx, func() {
		health.Shutdown()
		r.service.Stop()
		const patience = 5 * time.Second // for clients that keep a stream open
		forced := time.AfterFunc(patience, server.Stop)
		server.GracefulStop()
		forced.Stop()
	})
	defer stopped()
	fmt.Fprintf(stdout, "listening on %s\n", r.listen.Addr())
	if err := server.Serve(s.limited(r.listen)); !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	return nil
}

// limited is a listener with at most -connections connections, a quarter of them from one address.
func (s *settings) limited(l net.Listener) net.Listener {
	return netutil.LimitListener(
		&perAddress{Listener: l, most: max(1, s.connections/4), open: map[string]int{}}, s.connections)
}

// start makes all parts of a server, files first. It writes only to the store.
func (s *settings) start(r *server) (err error) {
	p, err := s.readParams()
	if err != nil {
		return err
	}
	r.transport, err = s.transport()
	if err != nil {
		return err
	}
	r.listen, err = net.Listen("tcp", s.listen)
	if err != nil {
		return err
	}
	if s.metrics != "" {
		r.metrics, err = net.Listen("tcp", s.metrics)
		if err != nil {
			return err
		}
	}
	p.Precompute() // no request waits for tables
	r.store, err = store.Open(s.dir,
		store.Options{Digest: p.Digest(), Reserve: s.reserve, Unchecked: s.unchecked})
	if err != nil {
		return err
	}
	o := validator.Options{Ledger: r.store, AllowUnsoundV1Bulletproofs: s.bulletproofs,
		Follow: request.Version(s.follow)}
	o.Identities, err = adapter.Identities(p)
	if err != nil {
		return err
	}
	r.service = service.New(service.Config{
		Validator: validator.New(p, o), Store: r.store, Batch: s.batch, Linger: s.linger, Queue: s.queue,
		Blocks: s.workers,
	})
	return nil
}

func (s *settings) readParams() (*params.Params, error) {
	raw, err := os.ReadFile(s.params)
	if err != nil {
		return nil, err
	}
	p, err := params.Decode(raw, params.Options{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.params, err)
	}
	return p, nil
}

// close stops the parts that start made. Some are missing if start failed.
func (r *server) close() (err error) {
	if r.service != nil {
		r.service.Stop()
	}
	if r.store != nil {
		err = r.store.Close()
	}
	for _, l := range []net.Listener{r.listen, r.metrics} {
		if l != nil {
			_ = l.Close() // the server has closed it if it ran
		}
	}
	return err
}

// perAddress is a listener that closes connections of an address which has as many as it may
// have.
type perAddress struct {
	net.Listener
	most int
	mu   sync.Mutex
	open map[string]int
}

// Accept implements net.Listener.
func (l *perAddress) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		host, _, _ := net.SplitHostPort(c.RemoteAddr().String())
		if l.enter(host) {
			return &counted{Conn: c, leave: sync.OnceFunc(func() { l.leave(host) })}, nil
		}
		_ = c.Close()
	}
}

func (l *perAddress) enter(host string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[host] >= l.most {
		return false
	}
	l.open[host]++
	return true
}

func (l *perAddress) leave(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[host]--
	if l.open[host] == 0 {
		delete(l.open, host)
	}
}

// counted is a connection of perAddress.
type counted struct {
	net.Conn
	leave func()
}

func (c *counted) Close() error {
	c.leave()
	return c.Conn.Close()
}

// transport returns the TLS of the server, nil without -tls-cert.
func (s *settings) transport() (credentials.TransportCredentials, error) {
	if s.cert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		return nil, fmt.Errorf("-tls-cert, -tls-key: %w", err)
	}
	c := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}
	if s.ca != "" {
		pem, err := os.ReadFile(s.ca)
		if err != nil {
			return nil, err
		}
		c.ClientCAs, c.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		if !c.ClientCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: has no certificate", s.ca)
		}
	}
	return credentials.NewTLS(c), nil
}
