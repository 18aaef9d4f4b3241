import type { z } from 'zod'
import type { Brickmark } from '../brickmark.ts'
import type { RateLimit } from '../errors.ts'

/** An MCP tool. It returns the few fields an assistant needs, and the remaining quota. */
export type Tool = {
  name: string
  title: string
  description: string
  input: z.ZodObject
  run: (brickmark: Brickmark, input: never) => Promise<{ result: object; rateLimit: RateLimit | undefined }>
}

/** Infers the input type of `run` from the input schema. */
export function defineTool<I extends z.ZodObject>(
  definition: Omit<Tool, 'input' | 'run'> & {
    input: I
    run: (brickmark: Brickmark, input: z.output<I>) => ReturnType<Tool['run']>
  },
): Tool {
  return definition
}
