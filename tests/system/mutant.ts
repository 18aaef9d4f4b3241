/** A copy of the service with a bug in it. */
export type MutantCopy = {
  root: string
  /** Whether the bug is in the schema, so that no other run's database will do. */
  inSchema: boolean
  remove(): Promise<void>
}

/** A file of a copy of the service changed: one replacement of text that stands there exactly once, or a file added. */
export type SourceEdit = { file: string; find: string; replace: string } | { file: string; add: string }

/** A bug on purpose: the proof must fall short with it, or the proof proves nothing. */
export type Mutant = {
  name: string
  description: string
  edits: SourceEdit[]
  /** The proof must still succeed: a second line of defence holds alone. */
  expectedToSurvive?: boolean
}
