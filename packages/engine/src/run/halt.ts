export const CANCELLED = "cancelled";
export const TOO_MANY_STEPS = "more than 10000 steps";
export const describeTimeout = (timeoutMs: number) => `the run took longer than ${timeoutMs} ms`;

/** Thrown to end the whole run. It is not a node's failure, so no edge can handle it. */
export class Halt extends Error {}

/** A plain error, so the node may be retried. */
export const createTimeoutError = (ms: number): Error => new Error(`timed out after ${ms} ms`);
