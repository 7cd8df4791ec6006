export const CANCELLED = "cancelled";
export const TOO_MANY_STEPS = "more than 10000 steps";
export const tooLong = (timeoutMs: number) => `the run took longer than ${timeoutMs} ms`;

/** Thrown to end the run as a whole, whatever is under way: no node's failure, and nothing handles it. */
export class Halt extends Error {}
