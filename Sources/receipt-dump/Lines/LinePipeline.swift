import AppStoreReceipt
import AppStoreReceiptValidation
import Dispatch
import ReceiptReport
import Synchronization

/// Answers lines on several threads and writes the answers in the order of the lines.
///
/// One thread reads and cuts batches, workers answer them, and the calling thread writes. What is between the three
/// is bounded by bytes: a batch takes permits for itself and for the longest answers that it can have, before any of its
/// lines is looked at, and gives them back when its answers have been written.
struct LinePipeline {
    /// With `--at now`, the time at which the run began.
    let options: Options
    let host: Host
    let inspector: ReceiptInspector

    /// Permits for batches that have been read and not written yet, and the bytes that one stands for.
    private var permitCount: Int { 32 * options.jobs + 32 }
    private static let permitSize = 256 << 10
    /// An answer has at most so many bytes for each byte of its line, and a constant: an attribute of 11 bytes, 15 in
    /// base64, has an object of some 70, and a purchase's typed members stand beside its attributes.
    private static let expansion = 8

    func run() throws(Stop) -> Int32 {
        let line = AssemblyLine(permits: permitCount)
        let interruption = host.interruption
        // Fewer threads than asked for do as well, as long as there is one.
        var threads = (0..<options.jobs).compactMap { _ in worker(line) }
        guard !threads.isEmpty, let reader = reader(line, interruption) else {
            line.finish()
            for thread in threads { thread.join() }
            throw Stop(status: ExitStatus.internal, message: "internal error: no thread can be started")
        }
        threads.append(reader)
        let writer = Writer(options: options, host: host, totalByteCount: totalByteCount)
        do throws(Stop) {
            let status = try writer.run(line, interruption)
            if interruption.isStopped {
                abandon(line, threads)
            } else {
                // A process that exits under a thread which is about to end may crash.
                for thread in threads { thread.join() }
            }
            return status
        } catch {
            interruption.stop()
            abandon(line, threads)
            throw error
        }
    }

    /// Nobody wants the rest: the reader stops, and what is under way is thrown away.
    private func abandon(_ line: AssemblyLine, _ threads: [Thread]) {
        line.release(permitCount)
        for thread in threads { thread.detach() }
    }

    private var totalByteCount: Int? {
        var total = 0
        for input in options.inputs {
            guard let size = host.files.size(input) else { return nil }
            total += size
        }
        return total
    }

    private func reader(_ line: AssemblyLine, _ interruption: Interruption) -> Thread? {
        let inputs = options.inputs
        let files = host.files
        let permitCount = permitCount
        return Thread {
            for input in inputs where !interruption.isStopped {
                do throws(ReadError) {
                    var reader = LineReader(try files.open(input, interruption))
                    while let batch = try reader.next() {
                        let size = batch.bytes.count * (1 + Self.expansion) + batch.lines.count * 4_096
                        let permits = min(1 + size / Self.permitSize, permitCount)
                        line.acquire(permits)
                        if interruption.isStopped { break }
                        line.add(batch, permits: permits)
                    }
                } catch {
                    line.addFailure(input, error)
                }
            }
            line.finish()
        }
    }

    private func worker(_ line: AssemblyLine) -> Thread? {
        let inspector = inspector
        let options = options
        let now: ReceiptDate? = if case .now? = options.requestDate { host.now() } else { nil }
        return Thread {
            var worker = LineWorker(inspector, options, now: now)
            while let (batch, slot) = line.nextBatch() {
                do throws(Stop) {
                    slot.fulfil(.success(try worker.answer(batch)))
                } catch {
                    slot.fulfil(.failure(error))
                }
            }
        }
    }
}

/// The queues between the three.
final class AssemblyLine: Sendable {
    /// Where the answers to a batch will be.
    final class Slot: Sendable {
        let permits: Int
        private let result = Mutex<Result<LineAnswers, Stop>?>(nil)
        private let done = DispatchSemaphore(value: 0)

        init(permits: Int) { self.permits = permits }

        func fulfil(_ result: Result<LineAnswers, Stop>) {
            self.result.withLock { $0 = result }
            done.signal()
        }

        func wait() throws(Stop) -> LineAnswers {
            done.wait()
            let result = result.withLock { slot in
                defer { slot = nil }
                return slot
            }
            guard let result else {
                throw Stop(status: ExitStatus.internal, message: "internal error: an answer was lost")
            }
            return try result.get()
        }
    }

    /// What the writer gets, in order.
    enum Item: Sendable {
        case answers(Slot)
        case failure(Input, ReadError)
        case end
    }

    /// Begins at 0: a semaphore that goes away with less than it began with traps, and one that is abandoned may have.
    private let permits = DispatchSemaphore(value: 0)
    private let batches = Channel<(LineBatch, Slot)?>()
    private let items = Channel<Item>()

    init(permits: Int) { release(permits) }

    func acquire(_ count: Int) { for _ in 0..<count { permits.wait() } }
    func release(_ count: Int) { for _ in 0..<count { permits.signal() } }

    func add(_ batch: LineBatch, permits: Int) {
        let slot = Slot(permits: permits)
        items.put(.answers(slot))
        batches.put((batch, slot))
    }

    func addFailure(_ input: Input, _ error: ReadError) { items.put(.failure(input, error)) }

    func finish() {
        items.put(.end)
        batches.put(nil)
    }

    /// The next batch to answer; nil when there are no more.
    func nextBatch() -> (LineBatch, Slot)? {
        let batch = batches.take()
        // The end is for every worker.
        if batch == nil { batches.put(nil) }
        return batch
    }

    func nextItem() -> Item { items.take() }
}

/// A queue whose taker waits.
private final class Channel<Element: Sendable>: Sendable {
    private struct Queue {
        var elements: [Element] = []
        var first = 0
    }

    private let queue = Mutex(Queue())
    private let available = DispatchSemaphore(value: 0)

    func put(_ element: Element) {
        queue.withLock { $0.elements.append(element) }
        available.signal()
    }

    func take() -> Element {
        available.wait()
        return queue.withLock { queue in
            let element = queue.elements[queue.first]
            queue.first += 1
            // Taken ones are dropped in bulk, so that each is moved at most twice.
            if queue.first >= 32 && 2 * queue.first >= queue.elements.count {
                queue.elements.removeFirst(queue.first)
                queue.first = 0
            }
            return element
        }
    }
}
