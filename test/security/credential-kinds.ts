/** One secret per kind, so that a leak identifies its kind. */
export const SECRETS = {
	bearer: "canary-bearer-5d1f0a77c2e94b61",
	basic: 'canary/basic+"5d1f"&0a77<c2e94b61>=%25',
	header: "canary.header~5d1f0a77c2e94b61==",
	query: "canary-query/5d1f0a77+c2e94b61&x=1",
	path: "90210:canary_path_5d1f0a77c2e94b61",
	oauth: "canary-client-secret-5d1f0a77c2e94b61",
	sign_in: "canary-sign-in-secret-5d1f0a77c2e94b61",
	aws: "canary/aws/5d1f0a77c2e94b61/secret+access",
} as const;

export type Kind = keyof typeof SECRETS;
export const KINDS = Object.keys(SECRETS) as Kind[];

/** The tokens that the token endpoint issues; also secrets. */
export const ISSUED = "canary-issued-token-5d1f0a77c2e94b61";
export const SIGNED_IN = "canary-signed-in-token-5d1f0a77c2e94b61";
export const REFRESH = "canary-refresh-token-5d1f0a77c2e94b61";
export const TOKEN_HOST = "auth.shop.example";

const secret = (name: string) => ({ name, secret: true, help: "From the settings" });
const open = (name: string) => ({ name, secret: false, help: "From the settings" });

/** An auth recipe for every kind, bound to the same hosts, with the fields of its credential. */
export const buildRecipes = (hosts: readonly string[]): Record<Kind, { recipe: object; fields: object }> => {
	const same = (fields: object[]) => ({ title: "Corner shop", fields, hosts });
	return {
		bearer: {
			recipe: { ...same([secret("token")]), type: "bearer", inject: {} },
			fields: { token: SECRETS.bearer },
		},
		basic: {
			recipe: { ...same([open("username"), secret("password")]), type: "basic", inject: {} },
			fields: { username: "ada", password: SECRETS.basic },
		},
		header: {
			recipe: { ...same([secret("key")]), type: "header", inject: { headers: { "x-key": "Key {key}" } } },
			fields: { key: SECRETS.header },
		},
		query: {
			recipe: { ...same([secret("key")]), type: "query", inject: { query: { api_key: "{key}" } } },
			fields: { key: SECRETS.query },
		},
		path: {
			recipe: { ...same([secret("token")]), type: "path", inject: { prefix: "/bot{token}" } },
			fields: { token: SECRETS.path },
		},
		oauth: {
			recipe: {
				...same([open("client_id"), secret("client_secret")]),
				type: "oauth2_client_credentials",
				inject: { token_url: `https://${TOKEN_HOST}/token` },
			},
			fields: { client_id: "ada", client_secret: SECRETS.oauth },
		},
		sign_in: {
			recipe: {
				...same([open("client_id"), secret("client_secret")]),
				type: "oauth2_authorization_code",
				inject: {
					authorize_url: `https://${TOKEN_HOST}/authorize`,
					token_url: `https://${TOKEN_HOST}/token`,
					client_secret: "{client_secret}",
				},
			},
			fields: { client_id: "ada", client_secret: SECRETS.sign_in },
		},
		aws: {
			recipe: {
				...same([open("access_key_id"), secret("secret_access_key"), open("region")]),
				type: "aws_sigv4",
				inject: { service: "shop" },
			},
			fields: { access_key_id: "AKIAEXAMPLE", secret_access_key: SECRETS.aws, region: "eu-1" },
		},
	};
};
