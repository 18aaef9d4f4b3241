import { z } from 'zod'
import type { Brickmark } from '../brickmark.ts'
import type { RateLimit } from '../errors.ts'

/** An MCP tool. It returns the few fields an assistant needs, and the remaining quota. */
export type Tool = {
  name: string
  title: string
  description: string
  input: z.ZodObject
  output: z.ZodObject
  run: (brickmark: Brickmark, input: never) => Promise<{ result: object; rateLimit: RateLimit | undefined }>
}

/** Infers the input and result types of `run` from the schemas. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(
  definition: Omit<Tool, 'input' | 'output' | 'run'> & {
    input: I
    output: O
    run: (brickmark: Brickmark, input: z.output<I>) => Promise<{ result: z.input<O>; rateLimit: RateLimit | undefined }>
  },
): Tool {
  return definition
}

/** An amount in US dollars; null if unknown. */
export const Usd = z.number().nullable()
