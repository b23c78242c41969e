/// How often lengths of time occurred, with quantiles to within 0.4 % of their value.
///
/// Buckets are 1/128 of a power of two wide, so the relative error of a bucket's middle is at most 1/256;
/// lengths below 128 ns are exact. Histograms add up, in any order, to the histogram of all.
public struct DurationHistogram: Equatable, Sendable {
  private static let subBits = 7
  private static let subBuckets = 1 << subBits

  private var counts = [Int](repeating: 0, count: (64 - subBits) * subBuckets)
  /// How many lengths were added.
  public private(set) var count = 0
  /// The greatest length added, in nanoseconds.
  private var greatest: Int64 = 0
  /// The sum of what was added, in nanoseconds.
  private var sum: Int128 = 0

  package init() {}

  /// Adds a length of time in nanoseconds, at least zero.
  @inline(__always)
  package mutating func add(_ nanoseconds: Int64) {
    counts[Self.bucket(nanoseconds)] += 1
    count += 1
    greatest = max(greatest, nanoseconds)
    sum += Int128(nanoseconds)
  }

  /// Adds all that another histogram counted.
  package mutating func merge(_ other: DurationHistogram) {
    for index in counts.indices { counts[index] += other.counts[index] }
    count += other.count
    greatest = max(greatest, other.greatest)
    sum += other.sum
  }

  /// The exact mean, rounded down to nanoseconds; nil if nothing was added.
  public var mean: Duration? {
    count == 0 ? nil : .nanoseconds(Int64(sum / Int128(count)))
  }

  /// The greatest length added; zero if there is none.
  public var maximum: Duration { .nanoseconds(greatest) }

  /// The length of rank ⌈pn⌉ among the n lengths in ascending order (Hyndman and Fan, type 1).
  ///
  /// - Parameter permille: 1000 p, as an integer so that the rank is exact; from 1 to 1000.
  /// - Returns: the middle of the bucket that holds it; nil if nothing was added.
  public func quantile(permille: Int) -> Duration? {
    guard count > 0 else { return nil }
    let rank = (count * permille + 999) / 1000
    var seen = 0
    for (index, occurrences) in counts.enumerated() {
      seen += occurrences
      if seen >= rank { return .nanoseconds(min(Self.middle(of: index), greatest)) }
    }
    return maximum
  }

  @inline(__always)
  private static func bucket(_ nanoseconds: Int64) -> Int {
    let value = UInt64(nanoseconds)
    guard value >= UInt64(subBuckets) else { return Int(value) }
    let shift = 63 - value.leadingZeroBitCount - subBits
    return shift * subBuckets + Int(value >> UInt64(shift))
  }

  private static func middle(of bucket: Int) -> Int64 {
    guard bucket >= 2 * subBuckets else { return Int64(bucket) }
    let shift = bucket / subBuckets - 1
    let low = Int64(bucket - shift * subBuckets) << Int64(shift)
    return low + (Int64(1) << Int64(shift)) / 2
  }
}

/// Written with the buckets that are not empty only.
extension DurationHistogram: Codable {
  private enum Key: CodingKey {
    case buckets, occurrences, greatest, sum
  }

  /// Writes a histogram.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let buckets = counts.indices.filter { counts[$0] > 0 }
    try container.encode(buckets, forKey: .buckets)
    try container.encode(buckets.map { counts[$0] }, forKey: .occurrences)
    try container.encode(greatest, forKey: .greatest)
    try container.encode(String(sum), forKey: .sum)
  }

  /// Reads a histogram.
  ///
  /// - Throws: what the decoder throws, and a `DecodingError` if the buckets are none of a histogram.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let buckets = try container.decode([Int].self, forKey: .buckets)
    let occurrences = try container.decode([Int].self, forKey: .occurrences)
    guard buckets.count == occurrences.count, buckets.allSatisfy(counts.indices.contains),
      let sum = Int128(try container.decode(String.self, forKey: .sum))
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .buckets, in: container, debugDescription: "no buckets of a histogram")
    }
    for (bucket, count) in zip(buckets, occurrences) { counts[bucket] += count }
    count = occurrences.reduce(0, +)
    greatest = try container.decode(Int64.self, forKey: .greatest)
    self.sum = sum
  }
}
