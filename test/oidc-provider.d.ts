/** The part of oidc-provider that the tests use; the package has no types. */
declare module "oidc-provider" {
	import type { RequestListener } from "node:http";

	export interface IssuedToken {
		destroy(): Promise<void>;
	}

	export default class Provider {
		constructor(issuer: string, configuration: object);
		callback(): RequestListener;
		on(event: string, listen: (token: IssuedToken) => void): this;
	}
}
