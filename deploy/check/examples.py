"""The examples for Docker Compose and Kubernetes are what their schemas say, the bill of materials too, and what must hold for each
container does. `cargo xtask dist --check` calls this with the bill."""

import json
import pathlib
import sys

import kubernetes_validate
import yaml
from compose_spec import ComposeSpecification
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from pydantic import BaseModel

DEPLOY = pathlib.Path(__file__).resolve().parents[1]
# What `assay serve` reads, by its help.
SETTINGS = set(sys.argv[2].split())


def check_settings(place, names):
    unknown = {name for name in names if name.startswith("ASSAY_")} - SETTINGS
    assert not unknown, f"{place}: `assay serve` does not read {unknown}"


def follow_compose(document):
    model = ComposeSpecification.model_validate(document)
    unknown = set(unknown_fields(model, document))
    assert not unknown, f"Compose knows no {unknown}"


def unknown_fields(model, value):
    """The model passes over names that it does not know."""
    if isinstance(model, BaseModel):
        fields = {field.alias or name: getattr(model, name) for name, field in type(model).model_fields.items()}
        for name, inner in value.items() if isinstance(value, dict) else ():
            if name in fields:
                yield from unknown_fields(fields[name], inner)
            elif not name.startswith("x-"):
                yield name
    elif isinstance(model, dict) and isinstance(value, dict):
        for name, inner in value.items():
            yield from unknown_fields(model.get(name), inner)


def check_compose():
    document = yaml.safe_load((DEPLOY / "compose/compose.yaml").read_text())
    follow_compose(document)
    for name, service in document["services"].items():
        assert service.get("image") and service.get("restart"), name
        if service["image"].startswith("assay:"):
            assert service["read_only"] and service["user"] == "65532:65532" and service["healthcheck"], name
            check_settings(name, service["environment"])
        assert set(service.get("secrets", [])) <= set(document["secrets"]), name
        assert not any("password" in str(value).lower() and "FILE" not in key for key, value in service.get("environment", {}).items()), name


def follow_kubernetes(document):
    kubernetes_validate.validate(document, "1.33", strict=True)


def check_kubernetes():
    documents = []
    for path in sorted((DEPLOY / "kubernetes").glob("*.yaml")):
        for document in yaml.safe_load_all(path.read_text()):
            follow_kubernetes(document)
            documents.append(document)
    named = {(document["kind"], document["metadata"]["name"]) for document in documents}
    for document in documents:
        if document["kind"] == "ConfigMap":
            check_settings("ConfigMap", document["data"])
        if document["kind"] == "Deployment":
            spec = document["spec"]["template"]["spec"]
            assert spec["securityContext"]["runAsNonRoot"] and not spec["automountServiceAccountToken"]
            (container,) = spec["containers"]
            assert container["readinessProbe"] and container["livenessProbe"]
            assert container["securityContext"]["readOnlyRootFilesystem"]
            check_settings(document["metadata"]["name"], [variable["name"] for variable in container.get("env", [])])
            mounted = {mount["name"] for mount in container["volumeMounts"]}
            assert mounted == {volume["name"] for volume in spec["volumes"]}, mounted
        if document["kind"] == "Ingress":
            for path in document["spec"]["rules"][0]["http"]["paths"]:
                assert ("Service", path["backend"]["service"]["name"]) in named, path


def check_schema_finds_faults():
    """A check that takes anything would prove nothing."""
    for check, faulty in [
        (follow_compose, "services: {assay: {image: [1]}}"),
        (follow_compose, "services: {assay: {image: a, helthcheck: {}}}"),
        (follow_kubernetes, "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {port: 1}}"),
    ]:
        try:
            check(yaml.safe_load(faulty))
        except Exception:
            continue
        raise AssertionError(f"the schema takes {faulty}")


def check_bill(path):
    text = pathlib.Path(path).read_text()
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    assert fault is None, fault
    bill = json.loads(text)
    references = {component["bom-ref"] for component in bill["components"]} | {bill["metadata"]["component"]["bom-ref"]}
    for dependency in bill["dependencies"]:
        assert {dependency["ref"], *dependency["dependsOn"]} <= references, dependency
    foreign = [component for component in bill["components"] if "purl" in component]
    assert len(foreign) > 100 and all("hashes" in component for component in foreign)


check_schema_finds_faults()
check_compose()
check_kubernetes()
check_bill(sys.argv[1])
print("examples: Compose, Kubernetes and the bill of materials follow their schemas")
