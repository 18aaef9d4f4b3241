export const MAX_MESSAGE = 300

/** What every page says at the top until a moment; without a message, that it says nothing any more. */
export type Announcement = { message: string | null; until: Date }
