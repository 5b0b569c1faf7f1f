package capacity

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/zkatbench/zkatbench/internal/suggest"
)

// Flag is a setting by the name of its flag.
type Flag struct{ Name, Value string }

// ReadFlags reads settings from YAML: a mapping from names of flags to values,
// or to lists of them. names are the allowed ones. An error is one line with the
// line number of the file.
func ReadFlags(from io.Reader, names []string) (flags []Flag, err error) {
	var file yaml.Node
	if err := yaml.NewDecoder(from).Decode(&file); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), "\n", " "))
	}
	if len(file.Content) != 1 || file.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: a file of settings is a mapping such as rate: 800", max(1, file.Line))
	}
	pairs := file.Content[0].Content
	for i := 0; i+1 < len(pairs); i += 2 {
		key, value := pairs[i], pairs[i+1]
		if !slices.Contains(names, key.Value) {
			return nil, fmt.Errorf("line %d: there is no setting %s%s", key.Line, key.Value, suggest.Meant(key.Value, "", names))
		}
		if slices.ContainsFunc(flags, func(f Flag) bool { return f.Name == key.Value }) {
			return nil, fmt.Errorf("line %d: %s is set twice", key.Line, key.Value)
		}
		items := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			items = value.Content
		}
		var texts []string
		for _, item := range items {
			if item.Kind != yaml.ScalarNode {
				return nil, fmt.Errorf("line %d: %s is a value, or a list of values", item.Line, key.Value)
			}
			texts = append(texts, item.Value)
		}
		flags = append(flags, Flag{key.Value, strings.Join(texts, ",")})
	}
	return flags, nil
}

// WriteFlags writes settings as YAML that ReadFlags reads. Values with commas
// become lists.
func WriteFlags(to io.Writer, flags []Flag) error {
	file := &yaml.Node{Kind: yaml.MappingNode}
	scalar := func(text string) *yaml.Node {
		var n yaml.Node
		if yaml.Unmarshal([]byte(text), &n) == nil && len(n.Content) == 1 && n.Content[0].Kind == yaml.ScalarNode && n.Content[0].Value == text {
			return n.Content[0]
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Value: text, Style: yaml.DoubleQuotedStyle}
	}
	for _, f := range flags {
		value := scalar(f.Value)
		if strings.Contains(f.Value, ",") {
			value = &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
			for item := range strings.SplitSeq(f.Value, ",") {
				value.Content = append(value.Content, scalar(item))
			}
		}
		file.Content = append(file.Content, scalar(f.Name), value)
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	if err := errors.Join(encoder.Encode(file), encoder.Close()); err != nil {
		return err
	}
	_, err := to.Write(b.Bytes())
	return err
}
