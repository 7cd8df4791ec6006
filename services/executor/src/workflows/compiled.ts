import { builtInCatalogue } from "@tripline/components/catalogue";
import type { Effects } from "@tripline/components/effects";
import { Failed } from "@tripline/contract/failures";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { Diagnostic } from "@tripline/contract/workflows";
import { type CompileOptions, compileSource, type SourceCompilation } from "@tripline/engine/compile";
import type { StoredCredentials } from "@tripline/engine/compile/credentials";
import type { Catalogue } from "@tripline/engine/component";
import type { Definition } from "@tripline/engine/definition";
import { readSource, type Source, type SourceOptions } from "@tripline/engine/source";
import type { Turns } from "@tripline/platform/turns";
import { findFormProblem } from "../forms/parse.ts";
import { readCalledWorkflows } from "./called.ts";
import type { WorkflowFinder } from "./find.ts";
import { findUnmetNeeds, type Provided } from "./needs.ts";

/** A workflow that compiles. */
export interface Compiled {
	readonly definition: Definition;
	/** As the author wrote them. Null if the workflow came as a graph. */
	readonly triplets: readonly string[] | null;
	readonly warnings: readonly Diagnostic[];
}

interface CompileDeps {
	/** Called only if components other than built-in ones are used. */
	catalogue(): Promise<Catalogue<Effects>>;
	/** The tenant's credentials, without values. */
	readonly credentials?: StoredCredentials;
	/** Whether name, description and version are required. */
	readonly named: boolean;
	readonly turns: Turns;
	/** Of the service. */
	readonly runTimeoutMs: number;
	readonly finder: Pick<WorkflowFinder, "readOutputSchema" | "recentNames">;
	readonly provided: Provided;
	/** The namespace whose turn the work takes. */
	readonly namespace: string | null;
}

/** Compiles the workflow or throws the 400 or 422 that lists everything wrong with it. */
export async function compileOr4xx(source: Source, deps: CompileDeps): Promise<Compiled> {
	const { definition, triplets, plan, diagnostics, missing, components } = await compileForTenant(
		source,
		deps,
	);
	if (plan !== null && definition !== null) {
		return { definition, triplets, warnings: diagnostics };
	}
	const errors = diagnostics.filter(({ severity }) => severity === "error");
	if (errors.length > 0 && errors.every(({ code }) => code === "unknown_component")) {
		const message = `unknown components: ${components.join(", ")}`;
		throw new Failed({ kind: "missing_components", message, missing, components });
	}
	const [first] = errors;
	const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
	throw new Failed({
		kind: "uncompilable",
		message: `the workflow does not compile: ${first?.message ?? "it cannot be read"}${more}`,
		diagnostics,
	});
}

/** The definition of a workflow, whether or not it compiles. Null if it cannot be read. */
export function readDefinition(source: Source): Definition | null {
	const { definition, diagnostics } = readSource(source, { named: false });
	return diagnostics.some(({ severity }) => severity === "error") ? null : definition;
}

/**
 * Built-in components cannot be shadowed, so the tenant's catalogue is read only if another component is used. Called
 * workflows are looked up once the document is known, and it is compiled again if that tells anything.
 */
export async function compileForTenant(
	source: Source,
	{ catalogue, turns, finder, namespace, provided, ...options }: CompileDeps,
): Promise<SourceCompilation<Effects>> {
	const { advice } = await import("@tripline/components/advice");
	let using: CompileOptions<Effects> & SourceOptions = {
		...options,
		advice,
		findFormProblem,
		// Anybody may create a webhook without an owner, so it must not reach the folders of the service's owner.
		findUnmetNeeds: (definition) =>
			findUnmetNeeds(definition, { ...provided, hasFolders: provided.hasFolders && namespace !== null }),
		catalogue: builtInCatalogue,
	};
	const compileInTurn = () => turns.run(namespace ?? ANONYMOUS, () => compileSource(source, using));
	const compiled = await compileInTurn();
	const { definition, components } = compiled;
	const called =
		definition === null || namespace === null
			? null
			: await readCalledWorkflows(definition, finder, namespace);
	if (components.length === 0 && called === null) return compiled;
	using = {
		...using,
		...called,
		catalogue: components.length === 0 ? using.catalogue : await catalogue(),
	};
	return compileInTurn();
}
