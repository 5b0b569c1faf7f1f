//go:build !linux && !darwin && !freebsd

package cputime

import "time"

const available = false

var start = time.Now()

func thread() time.Duration  { return time.Since(start) }
func process() time.Duration { return time.Since(start) }
func usage() time.Duration   { return time.Since(start) }
