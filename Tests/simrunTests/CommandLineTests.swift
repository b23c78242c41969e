import SimCore
import Testing

@testable import simrun

struct CommandLineTests {
  /// The messages and the exit code of a command line that is wrong.
  private func problems(_ line: String) async -> (messages: [String], code: ExitCode)? {
    await problems(line.split(separator: " ").map(String.init))
  }

  private func problems(_ words: [String]) async -> (messages: [String], code: ExitCode)? {
    do {
      _ = try await Simrun.answer(words)
      return nil
    } catch let problems as Problems {
      return (problems.list.map(\.message), problems.list[0].exitCode)
    } catch let problem as Problem {
      return ([problem.message], problem.exitCode)
    } catch {
      return nil
    }
  }

  @Test(arguments: [
    (
      "rnu",
      "unknown command \"rnu\"; use run, sweep, check, trace, show, merge, bench, or completions. Did you mean \"run\"?"
    ),
    (
      "run --strategy naive --cllers 5",
      "unknown option \"--cllers\"; simrun run --help lists the options. Did you mean \"--callers\"?"
    ),
    (
      "--strategy nave",
      "--strategy: unknown strategy \"nave\"; use naive, naive-captured, actor-only, "
        + "in-flight-only, serial-queue, single-flight, single-flight+margin, background-task, "
        + "background-transfer, journal, cross-process, or best. Did you mean \"naive\"?"
    ),
    ("--strategy naive --callers 0", "--callers: \"0\" is not a whole number from 1 to 10,000"),
    ("--strategy naive --callers 2.5", "--callers: \"2.5\" is not a whole number from 1 to 10,000"),
    ("--strategy naive --runs -3", "--runs: \"-3\" is not a whole number from 1 to 1,000,000,000"),
    (
      "--strategy naive --runs 1e30",
      "--runs: \"1e30\" is not a whole number from 1 to 1,000,000,000"
    ),
    (
      "--strategy single-flight+margin --margin 30",
      "--margin: \"30\" has no unit; add ns, us, ms, s, min, h, or d"
    ),
    (
      "--strategy naive --margin 30s",
      "--margin: none of the strategies leaves its margin open; single-flight+margin does, and so "
        + "does background-task"
    ),
    (
      "--strategy naive+margin",
      "--strategy: \"naive+margin\": naive does not check a token before it uses it, so it has no "
        + "margin; single-flight+margin has one"
    ),
    (
      "--strategy single-flight+margin:ten",
      "--strategy: \"single-flight+margin:ten\": the margin \"ten\" is not a duration such as 250ms, "
        + "5min, or 1h"
    ),
    ("--strategy naive,naive", "--strategy: \"naive\" is named twice"),
    (
      "--strategy naive --set server.lifetme=5min",
      "--set: unknown field \"server.lifetme\"; simrun show fields lists them. Did you mean "
        + "\"server.lifetime\"?"
    ),
    (
      "--strategy naive --set server.lifetime",
      "--set: \"server.lifetime\" is not like server.lifetime=5min"
    ),
    (
      "--strategy naive --set server.rotation=usedFraction(1.2)",
      "--set server.rotation: \"usedFraction(1.2)\" is not a share from 0 to 1, or 0% to 100%"
    ),
    (
      "--strategy naive --set server.rotation=usedFraction(nan)",
      "--set server.rotation: \"usedFraction(nan)\" is not a share from 0 to 1, or 0% to 100%"
    ),
    (
      "--strategy naive --set clock.drift=inf",
      "--set clock.drift: \"inf\" is not a number from -100,000 to 100,000"
    ),
    (
      "--strategy naive --lifetime 300000d",
      "--lifetime: \"300000d\" is longer than 50 years, the most that a field takes"
    ),
    ("--strategy naive --lifetime 0s", "--lifetime: \"0s\" must be longer than zero"),
    (
      "--strategy naive --callers 3 --set usage.callers=4",
      "usage.callers is set twice, by --callers and by --set usage.callers"
    ),
    ("--strategy naive --seed 1 --seed 2", "--seed is given twice"),
    (
      "--strategy naive --seed x",
      "--seed: \"x\" is not a whole number from 0 to 2^64 - 1, or 0x and up to 16 hexadecimal digits"
    ),
    ("--strategy --runs 5", "--strategy needs a value: --strategy NAME[,NAME…]"),
    (
      "--strategy naive --format yaml",
      "--format: unknown value \"yaml\"; use text, json, csv, or markdown."
    ),
    ("--strategy naive --run 3", "--run is an option of simrun trace, not of simrun run"),
    ("--strategy naive five", "\"five\" belongs to no option; simrun run takes no names"),
    (
      "--strategy naive --usage timeline",
      "usage.kind is timeline, but usage.timeline is empty; give it moments, such as call@0s, call@10min"
    ),
    (
      "--strategy naive --set usage.timeline=call@2s,call@1s --usage timeline",
      "--set usage.timeline: \"call@2s,call@1s\" goes backwards from call@2s to call@1s"
    ),
    (
      "--strategy naive --set usage.timeline=cal@2s --usage timeline",
      "--set usage.timeline: \"cal@2s\" has \"cal@2s\", which is unknown; use call, cancel, clock, wake, "
        + "copyPair, refresh, leave, return, suspend, offline, online, signOut, signIn, endAccess, revoke, "
        + "kill, forceQuit, lock, unlock, reboot, or restoreStore. Did you mean \"call\"?"
    ),
    (
      "--strategy naive --server strikt",
      "--server: unknown server \"strikt\"; use strict, self-contained, grace-1min, parent-rule, reject-only, or no-rotation, and --set for parts of it. Did you mean \"strict\"?"
    ),
    ("--strategy naive --server strict,strict", "--server: \"strict\" is named twice"),
    ("--strategy naive --server ,", "--server: \"\" is named twice"),
    (
      "--strategy naive --runs 300%",
      "--runs: \"300%\" is not a whole number from 1 to 1,000,000,000"
    ),
    (
      "--strategy naive --usage timeline --set usage.timeline=call@0s --callers 9",
      "usage.callers is given, but usage.kind is timeline; say in usage.timeline when calls, leaving, "
        + "and returning happen"
    ),
    (
      "--strategy naive --usage timeline --set usage.timeline=return@5s",
      "usage.timeline: return@5s, but the person has not left; put leave, suspend, or kill before it"
    ),
    (
      "--strategy naive --usage timeline --set usage.timeline=leave@1s,leave@5s",
      "usage.timeline: leave@5s, but the person has left already"
    ),
    (
      "show single-flight",
      "show: there is no \"single-flight\"; use strategies, servers, networks, clocks, usages, "
        + "lifecycles, metrics, causes, fields, decisions, distributions, timeline, pins, processes, files, "
        + "expectations, sensitivity, or scenario, or KIND/NAME like server/strict. Did you mean "
        + "\"strategy/single-flight\"?"
    ),
    ("trace --strategy naive", "--run is missing: which run? A report names one under \"See one\""),
    (
      "trace --strategy naive --run 1 --format json",
      "--format: a trace is written as text only, not as json"
    ),
    ("completions", "completions: name one shell: bash, zsh, or fish"),
  ])
  func `A mistake is one message that says what is accepted`(line: String, message: String)
    async throws
  {
    let found = try #require(await problems(line))
    #expect(found.messages == [message] || found.messages.first == message)
    #expect(found.code == .usage)
  }

  @Test func `Three mistakes give three messages`() async throws {
    let found = try #require(await problems("--strategy nave --callers 0 --runs -3"))
    #expect(found.messages.count == 3)
    let more = try #require(
      await problems(
        "--strategy naive --opens soon --set server.reuse=x --server y --set a=b --runs 0"))
    #expect(more.messages.count == 5)
  }

  @Test func `A bad data file is its own kind of mistake`() async throws {
    let found = try #require(
      await problems([
        "--strategy", "naive", "--set", "network.uplink=empirical(file=none.csv, column=a_ms)",
      ]))
    #expect(found.messages == ["--set network.uplink: none.csv: cannot be read"])
    #expect(found.code == .cannotRead)
  }

  @Test func `A delay beyond all instants names its field`() async throws {
    let found = try #require(
      await problems([
        "--strategy", "naive", "--runs", "1000", "--set",
        "network.uplink=logNormal(median=40d, sigma=20)",
      ]))
    #expect(
      found.messages == [
        "network.uplink: a drawn time leads beyond 146 years after the run began"
      ])
    #expect(found.code == .badData)
  }

  @Test func `An option's value may follow an equals sign`() async throws {
    let one = try await Simrun.answer(["--strategy=naive", "--runs=100", "--format=csv"]).text
    let two = try await Simrun.answer(
      ["run", "--strategy", "naive", "--runs", "100", "--format", "csv"]
    ).text
    #expect(one == two)
  }

  @Test func `Flags stand above presets, whatever their order`() throws {
    func scenario(_ line: String) throws -> [String] {
      let arguments = CommandLineArguments(line.split(separator: " ").map(String.init))
      let world = try ScenarioRequest(arguments).worlds()[0].scenario
      return [
        "\(world.usage.callers)", "\(world.usage.opens)", world.server.lifetime.longest.text,
        "\(world.server.reuse)",
      ]
    }
    let expected = ["3", "expired", "1h", "rejectOnly"]
    #expect(
      try scenario("--callers 3 --usage morning --lifetime 1h --server reject-only") == expected)
    #expect(
      try scenario("--server reject-only --lifetime 1h --usage morning --callers 3") == expected)
    #expect(
      try scenario(
        "--server strict --set server.reuse=rejectOnly --set usage.opens=expired --callers 3 --lifetime 60min"
      )
        == expected)
  }

  @Test func `A margin at or above the lifetime is warned about`() throws {
    let arguments = CommandLineArguments([
      "--strategy", "single-flight+margin", "--margin", "10min",
    ])
    let worlds = try ScenarioRequest(arguments).worlds()
    let strategies = try StrategyOption.cells(arguments, worlds).map(\.strategy)
    #expect(
      ScenarioRequest.warnings(worlds[0].scenario, strategies) == [
        "the margin of single-flight+margin, 10min, is not below the lifetime 5min: every call "
          + "refreshes before it is sent"
      ])
  }

  @Test(arguments: CommandName.allCases)
  func `Help begins with what the command answers and ends with an example`(
    command: CommandName
  ) async throws {
    let help = try await Simrun.answer([command.rawValue, "--help"]).text
    #expect(help.hasPrefix(command.summary + "\n"))
    #expect(help.hasSuffix("Example:\n\n  \(command.example)\n"))
  }

  @Test func `The examples in the help work`() async throws {
    // A merge needs parts, which its own tests make.
    for command in CommandName.allCases where ![.bench, .merge].contains(command) {
      let words = command.example.split(separator: " ").dropFirst().map(String.init)
      let untilRedirection = Array(words.prefix { $0 != ">" })
      #expect(try await Simrun.answer(untilRedirection).exitCode == .success)
    }
  }

  @Test func `A field reads back what it writes, and paths are unique`() throws {
    var scenario = Scenario()
    for field in ScenarioField.all {
      let before = field.read(scenario)
      try field.write(&scenario, before)
      #expect(field.read(scenario) == before)
    }
    #expect(scenario == Scenario())
    #expect(Set(ScenarioField.all.map(\.path)).count == ScenarioField.all.count)
  }
}
