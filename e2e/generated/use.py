"""A program with the client that openapi-python-client makes of the API's description. It prints what it found as JSON."""

import json
import os

from assay_client import AuthenticatedClient
from assay_client.api.projects import list_projects
from assay_client.api.resources_of_a_project import act_on_campaign, change_page, create_page
from assay_client.models import CampaignAction, CampaignActionAction, PagePatch, PageToAdd

client = AuthenticatedClient(base_url=os.environ["ASSAY_URL"], token=os.environ["ASSAY_TOKEN"])
project = "key:demo"

projects = list_projects.sync(client=client)
page = PageToAdd(key="generated_python", name="Generated", conditions=[])
added = create_page.sync_detailed(project, client=client, body=page)
name = added.parsed.id
late = change_page.sync_detailed(project, name, client=client, body=PagePatch(name="Late"), if_match='"another state"')
patch = PagePatch(name="Renamed")
changed = change_page.sync(project, name, client=client, body=patch, if_match=added.headers["etag"])
start = CampaignAction(action=CampaignActionAction.START)
started = act_on_campaign.sync(project, os.environ["ASSAY_CAMPAIGN"], client=client, body=start)

print(json.dumps({
    "projects": [project.key for project in projects],
    "stale": late.status_code.value,
    "code": late.parsed.code,
    "renamed": changed.name,
    "status": started.status,
}))
