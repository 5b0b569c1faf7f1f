package main

import (
	"os"

	"github.com/zkatbench/zkatbench/runner/flags"
	"github.com/zkatbench/zkatbench/runner/pin"
)

// pinFlag declares -pin.
func pinFlag(set *flags.Set, to *string) {
	flags.Into(set, to, "pin", "", "", flags.Text("auto or processors"))
}

// bind binds this process to the processors that a value of -pin leaves, and returns
// the plan for measured processes.
func bind(text string) (p pin.Plan, err error) {
	if text == "" {
		return p, nil
	}
	allowed, err := pin.Allowed()
	if err == nil {
		p, err = pin.New(text, os.DirFS("/"), allowed)
	}
	if err == nil {
		err = p.Confine()
	}
	return p, ofFlag("pin", err)
}

// noLockFlag declares -nolock.
func noLockFlag(set *flags.Set, to *bool) {
	flags.Into(set, to, "nolock", "false", "", flags.Switch())
}
