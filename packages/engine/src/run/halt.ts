export const CANCELLED = "cancelled";
export const TOO_MANY_STEPS = "more than 10000 steps";
export const tooLong = (timeoutMs: number) => `the run took longer than ${timeoutMs} ms`;

/** Thrown to end the run as a whole, whatever is under way: no node's failure, and nothing handles it. */
export class Halt extends Error {}

/** A try may be repeated after it. */
export const timedOut = (ms: number): Error => new Error(`timed out after ${ms} ms`);
