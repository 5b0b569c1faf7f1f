package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/zkatbench/zkatbench/node/payments"
	pb "github.com/zkatbench/zkatbench/node/validationpb"
	"github.com/zkatbench/zkatbench/token/core/zkatdlog/nogh/v1/validator"
)

// writeParams writes the parameters of the network of -send to a new file.
func (s *settings) writeParams(_ context.Context, stdout io.Writer) error {
	pool, err := payments.New(payments.Config{})
	if err != nil {
		return err
	}
	f, err := os.OpenFile(s.makeParams, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return startError{err}
	}
	if _, err := f.Write(pool.Network.Params.Encode()); err != nil {
		f.Close()
		return err
	}
	fmt.Fprintf(stdout,
		"%s: parameters for trials (v2, BN254, 64 bits, X.509); the issuer's key is known to all\n",
		s.makeParams)
	return f.Close()
}

// sendPayments issues tokens and spends them: a payment is two requests. The anchors
// are unique to this run.
func (s *settings) sendPayments(ctx context.Context, stdout io.Writer) error {
	pool, err := payments.New(payments.Config{})
	if err != nil {
		return err
	}
	var run [8]byte
	_, _ = rand.Read(run[:]) // never fails
	wallet, err := pool.NewWallet(binary.LittleEndian.Uint64(run[:]))
	if err != nil {
		return err
	}
	conn, err := grpc.NewClient(s.send, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return startError{err}
	}
	defer conn.Close()
	client := pb.NewValidationClient(conn)
	var last string
	for i := range s.count {
		last = fmt.Sprintf("payment-%x-%d", run, i)
		issue, transfer, err := wallet.Pay(last)
		if err != nil {
			return err
		}
		for _, m := range []validator.Submission{issue, transfer} {
			v, err := client.Submit(ctx, &pb.Submission{Anchor: m.Anchor, Request: m.Raw})
			if err != nil {
				return err
			}
			if !v.GetAccepted() {
				return fmt.Errorf("%s: %s: %s", m.Anchor, v.GetRule(), v.GetReason())
			}
		}
	}
	report, err := client.Status(ctx, &pb.StatusRequest{Anchor: last})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d payments issued and transferred; status of %s: %s in block %d\n", s.count,
		last, report.GetOutcome(), report.GetVerdict().GetBlock())
	return nil
}
