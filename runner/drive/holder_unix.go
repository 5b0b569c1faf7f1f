//go:build unix

package drive

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/zkatbench/zkatbench/internal/text"
)

// holderOf returns the process that holds the lock on f, as /proc/locks and
// /proc/PID show it; only Linux has them.
func holderOf(f *os.File) (h Holder) {
	info, err := f.Stat()
	if err != nil {
		return h
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	locks, err := os.ReadFile("/proc/locks")
	if !ok || err != nil {
		return h
	}
	h.PID = lockHolder(string(locks), uint64(stat.Ino))
	if h.PID <= 0 { // of another container
		return Holder{}
	}
	dir := filepath.Join("/proc", strconv.Itoa(h.PID))
	if line, err := os.ReadFile(filepath.Join(dir, "cmdline")); err == nil {
		words := strings.Split(string(bytes.TrimRight(line, "\x00")), "\x00")
		words[0] = filepath.Base(words[0])
		h.Command = text.Cut(text.Visible(strings.TrimSpace(strings.Join(words, " "))), maxCommand)
	}
	// The holder sets the time of the file, if the file is its own.
	h.Since = info.ModTime()
	if started, err := os.Stat(dir); err == nil && started.ModTime().After(h.Since) {
		h.Since = started.ModTime()
	}
	return h
}

// lockHolder returns the process that holds a lock of flock on an inode, by the
// text of /proc/locks, or 0.
func lockHolder(locks string, inode uint64) int {
	for line := range strings.Lines(locks) {
		// 1: FLOCK  ADVISORY  WRITE 1234 08:02:5678 0 EOF; waiting ones have "->"
		f := strings.Fields(line)
		if len(f) < 6 || f[1] != "FLOCK" || !strings.HasSuffix(f[5], fmt.Sprintf(":%d", inode)) {
			continue
		}
		if pid, err := strconv.Atoi(f[4]); err == nil {
			return pid
		}
	}
	return 0
}
