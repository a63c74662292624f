# Reads and checks the bids of a lot; prints how many there are, the first broken one, and the first broken one without number 42.
import json
import os

from galeri import Galeri, first_broken_bid, read_lot_bids

log = read_lot_bids(Galeri(key=os.environ["GALERI_KEY"], url=os.environ["GALERI_URL"]), os.environ["LOT_ID"])
dropped = {**log, "bids": [bid for bid in log["bids"] if bid["bid_seq"] != 42]}
print(json.dumps([len(log["bids"]), first_broken_bid(**log), first_broken_bid(**dropped)]))
