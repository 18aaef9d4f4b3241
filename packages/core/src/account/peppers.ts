import { z } from 'zod'

/** Schema of API_KEY_PEPPERS: the secrets that API keys may be hashed with, oldest first. New keys use the last one. */
export const Peppers = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.string().min(32, 'must be a comma-separated list of secrets, at least 32 characters each')))
