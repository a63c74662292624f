# Story SB1 as an integrator's script with the Python client: reset, sell, collect, advance two years, restructure, settle early.
import json
import os
import sys
from datetime import datetime, timedelta
from decimal import Decimal

from galeri import Galeri

given = json.load(sys.stdin)
galeri = Galeri(key=os.environ["GALERI_KEY"], url=os.environ["GALERI_URL"])
sandbox = galeri.sandbox


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def day_after(days, now):
    return (instant(now) + timedelta(days=days)).date().isoformat()


world = sandbox.reset(data="empty", keep_webhooks=False)
now = world["clock"]["now"]
webhook = galeri.post("webhooks", {"url": given["receiver"], "events": ["*"]})
vehicle = galeri.post("vehicles", given["car"])
customer = galeri.post("customers", given["person"])
sale = galeri.post("sales", {
    "vehicle_id": vehicle["id"], "customer_id": customer["id"], "currency": "STG", "sale_price": "2400.00",
    "finance_charge": "240.00", "late_rate_yearly": "24.00", "installment_count": 24, "first_due_date": day_after(5, now),
})


def pay(amount, **more):
    galeri.post("collections", {"sale_id": sale["id"], "amount": amount, "currency": "STG", **more})


for _ in range(3):
    pay("110.00")

moved = sandbox.advance("731d")
now = sandbox.clock()["now"]
overdue = galeri.get("installments/overdue", {"limit": 100})

path = f"sales/{sale['id']}"
restructure = {"from": day_after(10, now), "installment_count": 6, "reason": "işini değiştirdi"}
galeri.patch(path, {"restructure": restructure})
plan = galeri.get(f"{path}/installment-plan")
payoff = galeri.get(path)["payoff"]
unearned = Decimal(payoff["unearned_finance_charge"])
discount = {"discount_amount": str(unearned), "discount_reason": "Erken Ödeme"} if unearned > 0 else {}
pay(str(Decimal(payoff["outstanding"]) - unearned), **discount)
settled = galeri.get(path)
print(json.dumps({
    "secret": webhook["secret"],
    "world": world["id"],
    "moved": {"days": round((instant(moved["to"]) - instant(moved["from"])) / timedelta(days=1)), "events": moved["events"]},
    "overdue": [[one["remaining_amount"], one["days_overdue"], one["late_interest"]] for one in overdue],
    "restructured": [one["amount"] for one in plan["installments"] if one["status"] == "Bekliyor"],
    "settled": {"status": settled["status"], "outstanding": settled["outstanding_amount"], "payoff": settled["payoff"]},
    "messages": len(sandbox.messages({"limit": 100})),
    "rules": len(sandbox.rules()),
}))
