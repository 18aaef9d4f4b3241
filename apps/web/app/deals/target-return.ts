/** The return at which watching a deal alerts. */
export const TARGET_RETURN_PCT = 30
