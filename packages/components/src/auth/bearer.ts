import { type Credential, needed } from "./credential.ts";
import type { Authorized } from "./request.ts";

export const bearer = (credential: Credential, inject: { readonly token: string }): Authorized => ({
	headers: { authorization: `Bearer ${needed("token", inject.token, credential)}` },
});
