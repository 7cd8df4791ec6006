import { type Credential, fillRequired } from "./credential.ts";
import type { Authorized } from "./request.ts";

export const applyBearer = (credential: Credential, inject: { readonly token: string }): Authorized => ({
	headers: { authorization: `Bearer ${fillRequired("token", inject.token, credential)}` },
});
