import { type Credential, fillFields } from "./credential.ts";
import type { Authorized } from "./request.ts";

/** Headers that are empty because optional fields have no value are omitted. */
export function applyHeader(
	credential: Credential,
	inject: { readonly headers: Readonly<Record<string, string>> },
): Authorized {
	const values = Object.entries(inject.headers)
		.map(([name, text]): [string, string] => [name.toLowerCase(), fillFields(text, credential)])
		.filter(([, value]) => value !== "");
	return { headers: Object.fromEntries(values) };
}
