package count

// Steps is a step of an operation. It is charged with the costs between Begin and Leave.
// Recorder.Steps of package bench/step implements it.
type Steps interface {
	// Step returns the step called name below this one.
	Step(name string) Steps
	// Begin enters the step, Leave returns to the step before.
	Begin()
	Leave()
}

// NoSteps attributes no costs.
type NoSteps struct{}

// Step returns NoSteps.
func (NoSteps) Step(string) Steps { return NoSteps{} }

// Begin has no effect.
func (NoSteps) Begin() {}

// Leave has no effect.
func (NoSteps) Leave() {}
