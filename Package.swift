// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "simrun",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "SimCore", targets: ["SimCore"]),
    .library(name: "Strategies", targets: ["Strategies"]),
    .executable(name: "simrun", targets: ["simrun"]),
  ],
  targets: [
    .target(name: "SimCore", swiftSettings: strict),
    .target(name: "Strategies", dependencies: ["SimCore"], swiftSettings: strict),
    .executableTarget(
      name: "simrun", dependencies: ["SimCore", "Strategies"], swiftSettings: strict),
    .target(
      name: "SimTestSupport", dependencies: ["SimCore"], path: "Tests/SimTestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "SimCoreTests", dependencies: ["SimCore", "SimTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "StrategiesTests", dependencies: ["SimCore", "Strategies", "SimTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "simrunTests",
      dependencies: ["simrun", "SimCore", "Strategies", "SimTestSupport"], exclude: ["Golden"],
      swiftSettings: strict),
    .testTarget(name: "RepositoryTests", swiftSettings: strict),
  ]
)
