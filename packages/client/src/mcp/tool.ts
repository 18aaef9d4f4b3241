import type { z } from 'zod'
import type { Brickmark } from '../brickmark.ts'
import type { RateLimit } from '../errors.ts'

/** A tool gives the few fields an assistant needs, and what the key has left. */
export type Tool = {
  name: string
  title: string
  description: string
  input: z.ZodObject
  run: (brickmark: Brickmark, input: never) => Promise<{ result: object; rateLimit: RateLimit | undefined }>
}

/** Ties the type of what a tool gets to the schema that checks it. */
export function defineTool<I extends z.ZodObject>(
  definition: Omit<Tool, 'input' | 'run'> & {
    input: I
    run: (brickmark: Brickmark, input: z.output<I>) => ReturnType<Tool['run']>
  },
): Tool {
  return definition
}
