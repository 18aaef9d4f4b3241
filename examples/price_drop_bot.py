"""Posts a message when a retailer lowers the price of a set you own. Run it every hour, e.g. with cron.

Set MESSAGE_URL to a webhook of Discord or Slack, or to a topic of ntfy. Without it, messages are printed.
"""

import json
import os
import urllib.request
from pathlib import Path

from brickmark import Brickmark

RETAILERS = ("retailer_a", "retailer_b")
STATE = Path(os.environ.get("STATE_FILE", "price_drop_bot.json"))


def main() -> None:
    told = set(json.loads(STATE.read_text())) if STATE.exists() else set()
    seen = []
    with Brickmark() as brickmark:
        for row in brickmark.watch_retail_prices(changed_within="24h"):
            for retailer in RETAILERS:
                offer = row[retailer]
                # A price that was seen before isn't told again.
                change = f"{row['setNumber']} {retailer} {offer['changedAt']}"
                seen.append(change)
                if change not in told and (offer["lastChange"] or 0) < 0 and offer["inStock"]:
                    send(f"{row['name']}: ${offer['price']:.2f} at {retailer}, ${-offer['lastChange']:.2f} less")
    STATE.write_text(json.dumps(seen))


def send(text: str) -> None:
    url = os.environ.get("MESSAGE_URL")
    if url is None:
        print(text)
        return
    # Discord reads `content`, Slack reads `text`, and ntfy shows the body as it is.
    is_chat = "discord.com" in url or "slack.com" in url
    body = json.dumps({"content": text, "text": text}) if is_chat else text
    headers = {"Content-Type": "application/json" if is_chat else "text/plain; charset=utf-8"}
    urllib.request.urlopen(urllib.request.Request(url, body.encode(), headers), timeout=10).close()


if __name__ == "__main__":
    main()
