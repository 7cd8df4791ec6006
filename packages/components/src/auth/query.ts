import { setQuery } from "../outbound/query.ts";
import { type Credential, fillFields } from "./credential.ts";
import type { Authorized } from "./request.ts";

/** Parameters that are empty because optional fields have no value are omitted. */
export function query(
	credential: Credential,
	inject: { readonly query: Readonly<Record<string, string>> },
	given: URL,
): Authorized {
	const url = new URL(given);
	const values = Object.entries(inject.query).map(
		([name, text]) => [name, fillFields(text, credential)] as const,
	);
	setQuery(
		url,
		values.filter(([, value]) => value !== ""),
	);
	return { url };
}
