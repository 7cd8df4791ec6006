import type { Effects } from "@tripline/components/effects";
import { Failed } from "@tripline/contract/failures";
import type { Diagnostic } from "@tripline/contract/workflows";
import { compileSource } from "@tripline/engine/compile";
import type { Catalogue } from "@tripline/engine/component";
import type { Definition } from "@tripline/engine/definition";
import type { Source } from "@tripline/engine/source";

/** A workflow that compiles. */
export interface Compiled {
	readonly definition: Definition;
	/** As the author wrote them; null where it came as a graph. */
	readonly triplets: readonly string[] | null;
	readonly warnings: readonly Diagnostic[];
}

interface CompileDeps {
	readonly catalogue: Catalogue<Effects>;
	/** Names of the tenant's credentials, for warnings. */
	readonly credentials?: ReadonlySet<string>;
	/** Whether name, description and version must be there. */
	readonly named: boolean;
}

/** The compiled workflow, or the 400 or 422 that says everything that is wrong with it. */
export function compiledOr4xx(source: Source, deps: CompileDeps): Compiled {
	const { definition, triplets, plan, diagnostics, missing, components } = compileSource(source, deps);
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
