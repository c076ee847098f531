import ChunkStore
import CommandSupport
import Testing

@testable import chunkmanifest

@Suite struct FailureTests {
  @Test(arguments: [
    (StoreError.Code.diskFull, CommandSupport.ExitStatus.disk), (.readOnly, .disk), (.noPermission, .disk),
    (.inputOutput, .disk),
    (.locked, .locked), (.changed, .sourceChanged), (.missing, .failure), (.notUsable, .failure), (.other, .failure),
  ])
  func eachKindHasItsStatus(code: StoreError.Code, status: CommandSupport.ExitStatus) {
    #expect(Failure(StoreError(code, "no", path: "file")).status == status)
  }

  @Test func thePathIsFitToBeShown() {
    let failure = Failure(StoreError(.missing, "no\nsuch file", path: "a\u{1B}b"))
    #expect(failure.message == "a\\u{1B}b: no\\nsuch file")
  }
}
