export const MAX_MESSAGE = 300

/** A message at the top of every page until a certain time. Without a message, it ends the one before it. */
export type Announcement = { message: string | null; until: Date }
