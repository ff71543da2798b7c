#!/bin/sh
# Answers `initialize`, leaves a tool in a session of its own, and ends neither at SIGTERM nor with its input.
trap '' TERM
read -r line
id=$(printf %s "$line" | sed 's/.*"request_id":"\([^"]*\)".*/\1/')
printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{}}}\n' "$id"
setsid sleep 300 &
while :; do sleep 300; done
