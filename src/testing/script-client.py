"""Sends the requests of scripts with only Python's standard library. Reads one script per line as JSON, and writes its statuses as JSON."""
import http.client
import json
import re
import sys
from urllib.parse import urlsplit


def look_up(variables, path):
    value = variables
    for name in path.split("."):
        value = value[int(name)] if isinstance(value, list) else value[name]
    return str(value)


def filled(text, variables):
    return re.sub(r"\{\{([\w. -]+)\}\}", lambda found: look_up(variables, found.group(1)), text)


def run(script):
    variables, connections, statuses = script["variables"], {}, []
    for step in script["steps"]:
        place = (step["to"], step["connection"])
        if place not in connections:
            connections[place] = http.client.HTTPConnection(urlsplit(script["urls"][step["to"]]).netloc)
        connection = connections[place]
        connection.timeout = 20 if step["timeoutMs"] is None else step["timeoutMs"] / 1000
        if connection.sock is not None:
            connection.sock.settimeout(connection.timeout)
        headers = {name: filled(value, variables) for name, value in step["headers"].items()}
        body = None if step["body"] is None else filled(step["body"], variables).encode()
        try:
            connection.request(step["method"], filled(step["path"], variables), body, headers)
            answer = connection.getresponse()
            text = answer.read()
            value = json.loads(text) if text else None
            statuses.append(answer.status)
        except (OSError, http.client.HTTPException, ValueError):
            connection.close()
            statuses.append("lost")
            continue
        if step["as"] is not None:
            variables[step["as"]] = value
    for connection in connections.values():
        connection.close()
    return statuses


for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
