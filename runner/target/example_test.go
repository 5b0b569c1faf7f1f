package target_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	_ "github.com/zkatbench/zkatbench/internal/testflags/accept"
	"github.com/zkatbench/zkatbench/runner"
	"github.com/zkatbench/zkatbench/runner/target"
)

// The requests of a load go to a server; their answers are read to the end.
func ExampleRequests_To() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "hello")
	}))
	defer server.Close()
	to, err := target.Requests{}.To(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	op, end := to.Operation(2)
	defer end()
	r, err := runner.Run(context.Background(), runner.Config{Workers: 2, Ops: 20, WarmUp: -1}, op)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Done, r.Failed, to.Sent())
	// Output: 20 0 20
}
