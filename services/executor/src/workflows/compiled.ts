import { builtInCatalogue } from "@tripline/components/catalogue";
import type { Effects } from "@tripline/components/effects";
import { Failed } from "@tripline/contract/failures";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { Diagnostic } from "@tripline/contract/workflows";
import { compileSource, type SourceCompilation } from "@tripline/engine/compile";
import type { Catalogue } from "@tripline/engine/component";
import type { Definition } from "@tripline/engine/definition";
import type { Source } from "@tripline/engine/source";
import type { Turns } from "@tripline/platform/turns";

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
	/** Names of the tenant's credentials, for warnings. */
	readonly credentials?: ReadonlySet<string>;
	/** Whether name, description and version are required. */
	readonly named: boolean;
	readonly turns: Turns;
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

/** Built-in components cannot be shadowed, so the tenant's catalogue is read only if another component is used. */
export async function compileForTenant(
	source: Source,
	{ catalogue, turns, namespace, ...options }: CompileDeps,
): Promise<SourceCompilation<Effects>> {
	const key = namespace ?? ANONYMOUS;
	const compiled = await turns.run(key, () =>
		compileSource(source, { ...options, catalogue: builtInCatalogue }),
	);
	if (compiled.components.length === 0) return compiled;
	const own = await catalogue();
	return turns.run(key, () => compileSource(source, { ...options, catalogue: own }));
}
