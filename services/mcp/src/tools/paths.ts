import type { Step } from "@tripline/engine/expressions/path";

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Appends a step to a path, in the form that `select` takes: `a.b[0]["c d"]`. */
export function joinPath(path: string, step: Step): string {
	if (typeof step === "number") return `${path}[${step}]`;
	if (!NAME.test(step)) return `${path}[${JSON.stringify(step)}]`;
	return path === "" ? step : `${path}.${step}`;
}
