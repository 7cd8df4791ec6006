import { registerHooks } from "node:module";

/**
 * Property tests are run TEST_RUNS times as often as they say: less in the unit tests, to be fast, and as often in the
 * long tests. They import a fast-check whose `assert` does so.
 */
const SCALED = `
import * as original from "fast-check";
export * from "fast-check";
const MIN_RUNS = 10;
function assert(property, { numRuns = 100, ...parameters } = {}) {
	const scaled = Math.ceil(numRuns * Number(process.env.TEST_RUNS));
	return original.assert(property, { ...parameters, numRuns: Math.max(Math.min(numRuns, MIN_RUNS), scaled) });
}
export default { ...original, assert };
`;
const URL = `data:text/javascript,${encodeURIComponent(SCALED)}`;

registerHooks({
	resolve(specifier, context, next) {
		if (specifier !== "fast-check") return next(specifier, context);
		if (context.parentURL !== URL) return { url: URL, shortCircuit: true };
		return next(specifier, { ...context, parentURL: import.meta.url });
	},
});
