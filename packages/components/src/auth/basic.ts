import { toBase64 } from "@tripline/contract/bytes";
import { TerminalError } from "@tripline/engine/terminal-error";
import { type Credential, fillFields } from "./credential.ts";
import type { Authorized } from "./request.ts";

/** RFC 7617, in UTF-8. */
export function applyBasic(
	credential: Credential,
	inject: { readonly username: string; readonly password: string },
): Authorized {
	const username = fillFields(inject.username, credential);
	if (username.includes(":")) {
		throw new TerminalError(
			`credential "${credential.name}" has a colon in its user name, which basic authentication does not allow`,
		);
	}
	const encoded = toBase64(
		new TextEncoder().encode(`${username}:${fillFields(inject.password, credential)}`),
	);
	return { headers: { authorization: `Basic ${encoded}` }, secrets: [encoded] };
}
