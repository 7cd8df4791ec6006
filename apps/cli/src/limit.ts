import { CliProblem, type Invocation } from "./command.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

/** How many items `--limit` asks for. */
export function parseLimit(given: Invocation["flags"][string]): number {
	const limit = given === undefined ? DEFAULT_LIMIT : Number(given);
	if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
	throw new CliProblem(`--limit must be 1 to ${MAX_LIMIT}`, { code: 2 });
}
