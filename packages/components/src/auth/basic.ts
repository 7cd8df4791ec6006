import { toBase64 } from "@tripline/contract/bytes";
import { TerminalError } from "@tripline/engine/component";
import { type Credential, filled } from "./credential.ts";
import type { Authorized } from "./request.ts";

/** RFC 7617, in UTF-8. */
export function basic(
	credential: Credential,
	inject: { readonly username: string; readonly password: string },
): Authorized {
	const username = filled(inject.username, credential);
	if (username.includes(":")) {
		throw new TerminalError(
			`credential "${credential.name}" has a colon in its user name, which basic authentication does not allow`,
		);
	}
	const encoded = toBase64(new TextEncoder().encode(`${username}:${filled(inject.password, credential)}`));
	return { headers: { authorization: `Basic ${encoded}` }, secrets: [encoded] };
}
