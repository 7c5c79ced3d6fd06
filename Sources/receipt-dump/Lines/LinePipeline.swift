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
        let line = AssemblyLine(permits: permitCount, jobs: options.jobs)
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
                    var reader = LineReader(try files.open(input, interruption), line.inputs)
                    while let batch = try reader.next() {
                        let size =
                            batch.bytes.count + batch.byteCount * Self.expansion + batch.lines.count * 4_096
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
            while var work = line.nextBatch() {
                do throws(Stop) {
                    work.slot.fulfil(.success(try worker.answer(work.batch, in: line.outputs.take())))
                } catch {
                    work.slot.fulfil(.failure(error))
                }
                let buffer = work.batch.bytes
                work.batch.bytes = []
                line.inputs.give(buffer)
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

    private let permits = Permits()
    private let batches = Channel<(batch: LineBatch, slot: Slot)?>()
    private let items = Channel<Item>()

    /// For the lines, and for the answers.
    let inputs: BufferPool
    let outputs: BufferPool

    init(permits: Int, jobs: Int) {
        inputs = BufferPool(limit: jobs + 2)
        outputs = BufferPool(limit: jobs + 2)
        release(permits)
    }

    func acquire(_ count: Int) { permits.acquire(count) }
    func release(_ count: Int) { permits.release(count) }

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
    func nextBatch() -> (batch: LineBatch, slot: Slot)? {
        let batch = batches.take()
        // The end is for every worker.
        if batch == nil { batches.put(nil) }
        return batch
    }

    func nextItem() -> Item { items.take() }
}

/// Permits that one thread takes, several at a time, and waits for where there are not as many.
private final class Permits: Sendable {
    private struct State {
        var free = 0
        /// How many the taker waits for.
        var wanted = 0
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)

    func acquire(_ count: Int) {
        let isTaken = state.withLock { state in
            guard state.free < count else {
                state.free -= count
                return true
            }
            state.wanted = count
            return false
        }
        // Whoever releases the last that are wanting takes them for the one who waits.
        if !isTaken { available.wait() }
    }

    func release(_ count: Int) {
        let isEnough = state.withLock { state in
            state.free += count
            guard state.wanted > 0, state.free >= state.wanted else { return false }
            state.free -= state.wanted
            state.wanted = 0
            return true
        }
        if isEnough { available.signal() }
    }
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
