@_exported public import ReceiptASN1
