// A program with the client that openapi-generator makes of the API's description. It prints what it found as JSON.
package main

import (
	"assay"
	"context"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	configuration := assay.NewConfiguration()
	configuration.Servers = assay.ServerConfigurations{{URL: os.Getenv("ASSAY_URL")}}
	client := assay.NewAPIClient(configuration)
	asked := context.WithValue(context.Background(), assay.ContextAccessToken, os.Getenv("ASSAY_TOKEN"))
	things, project := client.ResourcesOfAProjectAPI, "key:demo"

	projects, _, err := client.ProjectsAPI.ListProjects(asked).Execute()
	must(err)
	page := assay.NewPageToAdd()
	page.SetKey("generated_go")
	page.SetName("Generated")
	added, answer, err := things.CreatePage(asked, project).PageToAdd(*page).Execute()
	must(err)
	name, tag := *added.GetId().String, answer.Header.Get("ETag")
	patch := assay.NewPagePatch()
	patch.SetName("Renamed")
	_, late, err := things.ChangePage(asked, project, name).IfMatch("\"another state\"").PagePatch(*patch).Execute()
	problem := err.(*assay.GenericOpenAPIError).Model().(assay.Problem)
	changed, _, err := things.ChangePage(asked, project, name).IfMatch(tag).PagePatch(*patch).Execute()
	must(err)
	start := assay.NewCampaignAction("start")
	started, _, err := things.ActOnCampaign(asked, project, os.Getenv("ASSAY_CAMPAIGN")).CampaignAction(*start).Execute()
	must(err)

	keys := []string{}
	for _, line := range projects {
		keys = append(keys, line.GetKey())
	}
	found, err := json.Marshal(map[string]any{
		"projects": keys, "stale": late.StatusCode, "code": problem.GetCode(),
		"renamed": changed.GetName(), "status": started.GetStatus(),
	})
	must(err)
	fmt.Print(string(found))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
