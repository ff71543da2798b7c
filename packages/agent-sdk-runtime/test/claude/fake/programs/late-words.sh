#!/bin/sh
# Ends before a word; what it died of comes on stderr a moment later.
(sleep 0.2; echo "fatal: told late" >&2) > /dev/null &
exit 9
