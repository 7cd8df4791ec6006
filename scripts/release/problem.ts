/** A release or deployment failed; the message is for people and the exit code is 1. */
export class ReleaseProblem extends Error {}
