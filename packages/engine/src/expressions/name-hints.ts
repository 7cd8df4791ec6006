import type { NameProblem, Names } from "../frame.ts";

/** The same names, with a hint where one is unknown. */
export function addHint(names: Names, findHint: (name: string) => string | undefined): Names {
	return { ...names, named: (name) => withHint(names.named(name), name) };

	function withHint(found: ReturnType<Names["named"]>, name: string): ReturnType<Names["named"]> {
		if (typeof found === "function" || found.code !== "unknown_reference") return found;
		return joinHints(found, findHint(name));
	}
}

function joinHints(problem: NameProblem, hint: string | undefined): NameProblem {
	if (hint === undefined) return problem;
	return { ...problem, hint: problem.hint === undefined ? hint : `${hint}. ${problem.hint}` };
}

/** For expressions over a list: a bare name is often meant as a field of the element. */
export const hintAtElement = (names: Names): Names =>
	addHint(names, (name) => `the element is item: write item.${name} for its field`);
