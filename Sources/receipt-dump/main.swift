print("receipt-dump")
