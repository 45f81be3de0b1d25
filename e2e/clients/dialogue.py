"""What a Python client library is asked to do, a line of JSON each; pythonClient.mjs asks. An error is told by OAuth's code."""

import json
import sys


def answer_all(start):
    """Makes a client of the first line, and calls its methods with the others."""
    client = None
    for line in sys.stdin:
        what, *arguments = json.loads(line)
        try:
            if what == "start":
                client = start(arguments[0])
                answer = {"result": None}
            else:
                answer = {"result": getattr(client, what)(*arguments)}
        except Exception as error:  # every library has classes of its own
            answer = {"error": getattr(error, "error", None) or repr(error)}
        print(json.dumps(answer), flush=True)
