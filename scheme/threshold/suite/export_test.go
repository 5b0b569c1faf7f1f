package suite

var ServiceOp = serviceOp
