/**
 * How the owner of a namespace stores a credential, for hints and errors: assistants and callers cannot, and an API call
 * without the tenant's header would store it for another one.
 */
export function describeAdding(kinds: readonly string[], name?: string): string {
	const type = kinds.length === 0 ? "a type that fits the service" : `type ${kinds.join(" or ")}`;
	const named = name === undefined ? "" : `, name ${JSON.stringify(name)}`;
	return `in the console: Credentials > Add credential, ${type}${named}`;
}
