import type { Effects } from "@tripline/components/effects";
import { Failed } from "@tripline/contract/failures";
import type { Diagnostic, Options } from "@tripline/contract/workflows";
import { compile } from "@tripline/engine/compile";
import type { Catalogue } from "@tripline/engine/component";
import { type CheckInput, inputCheck } from "@tripline/engine/input-schema";
import type { Plan } from "@tripline/engine/plan";
import { readSource } from "@tripline/engine/source";

/** A stored workflow, ready to run. */
export interface Runnable {
	readonly plan: Plan<Effects>;
	readonly version: string | null;
	/** As the record of a failed run shows them. */
	readonly nodes: readonly { readonly id: string; readonly component: string }[];
	/** What is wrong with a trigger context; null: the workflow has no schema for it. */
	readonly checkInput: CheckInput | null;
}

const MOST_PLANS = 2_000;
/** Characters of the definitions whose plans are kept: what bounds the memory when definitions are large. */
const MOST_TEXT = 32 * 1024 * 1024;

/** Compiled plans by the text of the stored definition: the same text is compiled once, another never meets its plan. */
export function runnables(deps: { catalogue: Catalogue<Effects> }) {
	const plans = new Map<string, Runnable>();
	let kept = 0;

	return {
		/** `read` gives the part of the stored value that is a workflow's source. */
		of(text: string, read: (stored: unknown) => unknown): Runnable {
			const known = plans.get(text);
			if (known !== undefined) {
				// To the end, so that the first is the one not used for longest.
				plans.delete(text);
				plans.set(text, known);
				return known;
			}
			const made = compiled(read(parsed(text)));
			plans.set(text, made);
			kept += text.length;
			forget();
			return made;
		},
	};

	function compiled(source: unknown): Runnable {
		const { definition, diagnostics } = readSource({ json: source }, { named: false });
		// With an error it is only part of what was stored: a signature, for one, could be missing.
		const error = firstError(diagnostics);
		if (definition === null || error !== undefined) throw corrupt(error);
		const { plan, diagnostics: found } = compile(definition, { catalogue: deps.catalogue });
		if (plan === null) throw corrupt(firstError(found));
		return {
			plan,
			version: definition.version ?? null,
			nodes: definition.graph.nodes.map(({ id, component }) => ({ id, component })),
			checkInput: inputCheckOf(plan.options),
		};
	}

	function forget(): void {
		for (const [text] of plans) {
			if (plans.size <= MOST_PLANS && kept <= MOST_TEXT) return;
			plans.delete(text);
			kept -= text.length;
		}
	}
}

export type Runnables = ReturnType<typeof runnables>;

function inputCheckOf({ input_schema }: Options): CheckInput | null {
	const check = input_schema === undefined ? null : inputCheck(input_schema);
	if (check !== null && "problem" in check) throw corrupt(`input_schema ${check.problem}`);
	return check;
}

const firstError = (diagnostics: readonly Diagnostic[]): string | undefined =>
	diagnostics.find(({ severity }) => severity === "error")?.message;

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw corrupt("it is not JSON");
	}
}

export const corrupt = (reason = "it cannot be read"): Failed =>
	new Failed({ kind: "corrupt", message: `definition corrupt: ${reason}` });
