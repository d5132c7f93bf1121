// Renders the template of a chart with text/template, the engine of Helm, where Helm is not installed.
// Usage: go run render-chart.go TEMPLATE < {"Values": …, "Release": {"Name": …}}
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"text/template"
)

func main() {
	var values map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&values); err != nil {
		panic(err)
	}
	functions := template.FuncMap{"quote": func(value any) string { return fmt.Sprintf("%q", fmt.Sprint(value)) }}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	parsed := template.Must(template.New("chart").Funcs(functions).Option("missingkey=error").Parse(string(text)))
	if err := parsed.Execute(os.Stdout, values); err != nil {
		panic(err)
	}
}
