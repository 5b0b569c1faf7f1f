// Command zkatbench measures, compares and gates Go benchmarks, counts the group
// operations behind them, and tests the token engine.
//
// "zkatbench help" lists the commands, "zkatbench COMMAND -h" the flags of one.
// docs/commands.md contains all of it.
package main

//go:generate go test -run TestCommandsPage|TestCapacityPage|TestFiguresPage|TestMeasuredPages|TestPictures|TestSample|TestTestFlags -update
