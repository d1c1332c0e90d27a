#!/bin/sh
# Finds a browser for the tests of the web app: the system's Chromium, on Debian as root installed by apt, else
# Playwright's own. Usage: install-browser.sh PLAYWRIGHT
set -eu
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-liberation >/dev/null
else
    "$1" install chromium
fi
