package wire

import (
	"errors"
	"fmt"
)

// Kinds of malformed input, in addition to the kinds of package group. Each
// text follows the name of a field.
var (
	ErrMalformed    = errors.New("is not well formed")
	ErrTrailing     = errors.New("is followed by extra bytes")
	ErrCount        = errors.New("has the wrong number of entries")
	ErrTooLarge     = errors.New("is larger than allowed")
	ErrLength       = errors.New("has the wrong length")
	ErrMissing      = errors.New("is missing")
	ErrWrongCurve   = errors.New("is labelled with another curve")
	ErrNotCanonical = errors.New("is not the one encoding of its message")
)

// Kinds of ErrNotCanonical in protobuf messages; errors.Is matches both.
var (
	ErrTwice   error = notCanonical("is given twice")
	ErrDefault error = notCanonical("has its default value, which is left out")
)

// notCanonical is a kind of non-canonical encoding.
type notCanonical string

func (e notCanonical) Error() string { return string(e) }

func (e notCanonical) Unwrap() error { return ErrNotCanonical }

// DecodeError describes an error and its place. It contains no bytes of the
// message: callers log errors, and a message can contain a secret.
type DecodeError struct {
	What   Name   // "transfer action"
	Field  string // "outputs[3].data"
	Offset int    // in bytes from the start of What, -1 if unknown
	Err    error  // a kind, for errors.Is
}

func (e *DecodeError) Error() string {
	switch {
	case e.Field == "":
		return fmt.Sprintf("%s %v", e.What, e.Err)
	case e.Offset < 0:
		return fmt.Sprintf("%s: %s %v", e.What, e.Field, e.Err)
	}
	return fmt.Sprintf("%s: %s at byte %d %v", e.What, e.Field, e.Offset, e.Err)
}

func (e *DecodeError) Unwrap() error { return e.Err }

// Name is the name of a kind of message in errors.
type Name string

// Bad returns a DecodeError for a field of the message at an unknown offset.
func (message Name) Bad(field string, err error) error {
	return &DecodeError{What: message, Field: field, Offset: -1, Err: err}
}
