#!/bin/sh
# Answers `initialize` and nothing else; ends when it is asked to, or with its input.
read -r line
id=$(printf %s "$line" | sed 's/.*"request_id":"\([^"]*\)".*/\1/')
printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{}}}\n' "$id"
while read -r line; do
  case "$line" in *end_session*) exit 0 ;; esac
done
