package policy // bounds for external tests

const (
	MaxMembers = maxMembers
	MaxText    = maxText
)
