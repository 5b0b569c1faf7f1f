package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zkatbench/zkatbench/bench/hosts"
	"github.com/zkatbench/zkatbench/runner/flags"
)

// hostsFlag declares -hosts.
func hostsFlag(set *flags.Set, to *string) {
	flags.Into(set, to, "hosts", "", "", flags.Text("a file"))
}

// forward adds the given flags to an order for hosts. It leaves out flags for this machine (here), and
// refuses flags that do not apply (refused). files maps flags that name a file to the prefix before the
// name.
func forward(order *hosts.Order, set *flags.Set, refused, here []string, files map[string]string) error {
	for _, f := range set.All() {
		value := f.Text()
		switch prefix, names := files[f.Name]; {
		case !f.Given() || f.Name == "hosts" || slices.Contains(here, f.Name):
			continue
		case slices.Contains(refused, f.Name):
			return fmt.Errorf("-%s does not apply with -hosts", f.Name)
		case names && strings.HasPrefix(value, prefix):
			order.Files = append(order.Files, hosts.Local{Here: value[len(prefix):], There: "file-" + f.Name})
			value = prefix + "file-" + f.Name
		}
		values := []string{value}
		if f.Repeated {
			values = strings.Split(value, "\n")
		}
		for _, v := range values {
			order.Args = append(order.Args, "-"+f.Name+"="+v)
		}
	}
	return nil
}
