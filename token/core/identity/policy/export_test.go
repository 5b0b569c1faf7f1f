package policy

const (
	MaxMembers = maxMembers
	MaxText    = maxText
)
