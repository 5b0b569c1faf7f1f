package engine

func (in Inbox) Body(from uint32, step string) []byte { return in.body(from, step) }
