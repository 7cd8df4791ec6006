import { Failed, invalid, notFound } from "@tripline/contract/failures";
import type { ChangeBy } from "@tripline/contract/workflow-versions";

/** An internal caller, trusted with every namespace, or a partner key, which is bound to one. */
export type Caller = { readonly kind: "internal" } | { readonly kind: "partner"; readonly namespace: string };

/** The namespace to act in. A partner key implies its own and may not name another. */
export function resolveOwner(caller: Caller, given: string | undefined): string {
	const owner = resolveOwnerFilter(caller, given);
	if (owner === undefined) throw invalid([{ path: "owner_id", message: "is required" }]);
	return owner;
}

/** The namespace to act in, where an internal caller may omit it to mean the self-hosted namespace. */
export function resolveOwnerOrDefault(
	caller: Caller,
	given: string | undefined,
	fallback: string | undefined,
): string {
	return resolveOwner(caller, given ?? (caller.kind === "internal" ? fallback : undefined));
}

/** The namespace to search; undefined means every namespace, for internal callers only. */
export function resolveOwnerFilter(caller: Caller, given: string | undefined): string | undefined {
	if (caller.kind === "internal") return given;
	if (given !== undefined && given !== caller.namespace) {
		throw new Failed({ kind: "forbidden", message: "owner_id is not this key's namespace" });
	}
	return caller.namespace;
}

/** Another owner's data answers 404, so that its existence is not revealed. */
export function assertOwned(actual: string, owner: string | undefined): void {
	if (owner !== undefined && actual !== owner) throw notFound();
}

export function assertInternal(caller: Caller): void {
	if (caller.kind !== "internal")
		throw new Failed({ kind: "forbidden", message: "a partner key cannot do this" });
}

/** Who changes a workflow, and by what. */
export const nameChange = (owner: string, { author, client }: ChangeBy): Change => ({
	author: author ?? owner,
	client: client ?? "store",
});

interface Change {
	readonly author: string;
	readonly client: string;
}
