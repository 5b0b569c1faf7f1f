package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/zkatbench/zkatbench/internal/suggest"
)

// readYAML reads settings from YAML, a mapping from names of flags to values or to lists
// of them, as arguments of a command line. names are the allowed ones. An error is one
// line.
func readYAML(from io.Reader, names []string) (args []string, err error) {
	var file map[string]any
	if err := yaml.NewDecoder(from).Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.New(strings.Join(strings.Fields(err.Error()), " "))
	}
	for name, value := range file {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("there is no setting %s%s", name, suggest.Meant(name, "", names))
		}
		items, list := value.([]any)
		if !list {
			items = []any{value}
		}
		var texts []string
		for _, item := range items {
			switch item.(type) {
			case map[string]any, []any, nil:
				return nil, fmt.Errorf("%s is a value, or a list of values", name)
			}
			texts = append(texts, fmt.Sprint(item))
		}
		args = append(args, "-"+name+"="+strings.Join(texts, ","))
	}
	slices.Sort(args)
	return args, nil
}
