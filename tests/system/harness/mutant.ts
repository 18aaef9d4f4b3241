/** A copy of the service with a mutant applied. */
export type MutantCopy = {
  root: string
  /** True if the mutant changes the schema, so the run needs its own database. */
  inSchema: boolean
  remove(): Promise<void>
}

/** An edit to a mutant copy: replaces text that occurs exactly once in the file, or adds a file. */
export type SourceEdit = { file: string; find: string; replace: string } | { file: string; add: string }

/** A deliberate bug. The scenario must fail with it; otherwise the scenario verifies nothing. */
export type Mutant = {
  name: string
  description: string
  edits: SourceEdit[]
  /** The scenario must still pass: a second line of defense holds on its own. */
  expectedToSurvive?: boolean
}
