/** Why there is no release or deployment, for a person; the exit code is 1. */
export class ReleaseProblem extends Error {}
