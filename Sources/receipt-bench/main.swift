print("receipt-bench")
