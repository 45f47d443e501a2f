"""End with 0 if the app or the service answers on this machine, else with 1: the health check of the image.

    python .ci/health.py [PORT OF THE APP] [PORT OF THE SERVICE]

No proxy is asked, whatever the environment says.
"""

import sys
import urllib.request

SECONDS = 4
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def answers(address):
    try:
        with DIRECT.open(address, timeout=SECONDS) as answer:
            return answer.status == 200
    except OSError:
        return False


def main(ports):
    app, service = [*ports, *("8501", "8502")[len(ports) :]]
    found = answers(f"http://127.0.0.1:{app}/_stcore/health") or answers(f"http://127.0.0.1:{service}/health")
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
