import CFuzzer

/// The body of `LLVMFuzzerCustomMutator` for inputs that are BER: mostly elements, sometimes bytes.
package func mutateTLV(
    _ data: UnsafeMutablePointer<UInt8>?, _ count: Int, _ capacity: Int, _ seed: UInt32,
    finally repair: ((inout [UInt8], inout FuzzRandom) -> Void)? = nil
) -> Int {
    guard let data = unsafe data else { return 0 }
    var random = FuzzRandom(seed: UInt64(seed))
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
    if random.below(5) != 0, var new = TLVMutator.mutate(bytes, capacity: capacity, seed: random.next()) {
        repair?(&new, &random)
        guard new.count <= capacity else { return count }
        for index in new.indices { unsafe data[index] = new[index] }
        return new.count
    }
    return unsafe Int(LLVMFuzzerMutate(data, count, capacity))
}
