"""Object storage that checks signatures (moto), with a bucket `shop-events`. Prints its address and a user's key as JSON; then answers each line, a list in JSON: ["list"] with the
SHA-256 of each object by its name, ["put", NAME, TEXT] by doing so.
"""

import hashlib
import json
import logging
import os
import sys

# The first calls make the user, and need no key.
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "3"

import boto3
from moto.server import ThreadedMotoServer

# It logs every request.
logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
address = f"http://{host}:{port}"
nobody = {"endpoint_url": address, "region_name": "eu-central-1", "aws_access_key_id": "none", "aws_secret_access_key": "none"}
everything = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}

people = boto3.client("iam", **nobody)
people.create_user(UserName="assay")
people.put_user_policy(UserName="assay", PolicyName="all", PolicyDocument=json.dumps(everything))
key = people.create_access_key(UserName="assay")["AccessKey"]
known = {**nobody, "aws_access_key_id": key["AccessKeyId"], "aws_secret_access_key": key["SecretAccessKey"]}
store = boto3.client("s3", **known)
store.create_bucket(Bucket="shop-events", CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})


def sha256(name):
    """None of an object that is gone meanwhile."""
    try:
        return hashlib.sha256(store.get_object(Bucket="shop-events", Key=name)["Body"].read()).hexdigest()
    except store.exceptions.NoSuchKey:
        return None


def answer(command, *words):
    if command == "put":
        store.put_object(Bucket="shop-events", Key=words[0], Body=words[1].encode())
    found = store.list_objects_v2(Bucket="shop-events").get("Contents", [])
    return {one["Key"]: sha256(one["Key"]) for one in found}


print(json.dumps({"address": address, "id": key["AccessKeyId"], "secret": key["SecretAccessKey"]}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(*json.loads(line))), flush=True)
