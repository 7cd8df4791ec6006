import { Failed, invalid, notFound } from "@tripline/contract/failures";

/** Who calls: the service's own parts, trusted with every namespace, or a partner key, which stands for one. */
export type Caller = { readonly kind: "internal" } | { readonly kind: "partner"; readonly namespace: string };

/** The namespace to act in. A partner key implies its own and refuses another's. */
export function ownerFor(caller: Caller, given: string | undefined): string {
	const owner = ownerFilter(caller, given);
	if (owner === undefined) throw invalid([{ path: "owner_id", message: "is required" }]);
	return owner;
}

/** The same where an internal caller may leave the owner out and means the self-hosted namespace. */
export function ownerOrDefault(
	caller: Caller,
	given: string | undefined,
	fallback: string | undefined,
): string {
	return ownerFor(caller, given ?? (caller.kind === "internal" ? fallback : undefined));
}

/** The namespace to look in; undefined is every namespace, for internal callers only. */
export function ownerFilter(caller: Caller, given: string | undefined): string | undefined {
	if (caller.kind === "internal") return given;
	if (given !== undefined && given !== caller.namespace) {
		throw new Failed({ kind: "forbidden", message: "owner_id is not this key's namespace" });
	}
	return caller.namespace;
}

/** What belongs to another owner is not there. */
export function assertOwned(actual: string, owner: string | undefined): void {
	if (owner !== undefined && actual !== owner) throw notFound();
}

export function assertInternal(caller: Caller): void {
	if (caller.kind !== "internal")
		throw new Failed({ kind: "forbidden", message: "a partner key cannot do this" });
}
