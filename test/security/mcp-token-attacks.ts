import { JSON_TYPE } from "./client.ts";
import type { Attacks } from "./mcp-attacks.ts";
import { type Changed, type Login, pkce, sha256, toParameters } from "./mcp-login.ts";

/** Each with its own code, because the first presentation consumes it. */
async function* tryEachChange({ granted, redeem }: Login, all: readonly Changed[]) {
	for (const changed of all) {
		const { exchange } = await granted();
		yield [JSON.stringify(changed), await redeem({ ...exchange, ...changed })] as const;
	}
}

/** An attacker in the middle sees the code and tries to exchange it. */
export const TOKEN_ATTACKS: Attacks = {
	async *"a code without its verifier"({ granted, redeem }) {
		const cases: ((verifier: string, challenge: string) => string | undefined)[] = [
			() => pkce().verifier,
			() => undefined,
			() => "",
			(_, challenge) => challenge,
			(verifier) => verifier.slice(1),
			(verifier) => `${verifier}A`,
			(verifier) => `${verifier}=`,
			(verifier) => ` ${verifier}`,
			(verifier) => `${verifier}\n`,
			(verifier) => verifier.repeat(3),
			(verifier) => (verifier === verifier.toUpperCase() ? verifier.toLowerCase() : verifier.toUpperCase()),
			(verifier) => sha256(verifier),
			() => "a".repeat(42),
			() => "a".repeat(129),
			() => `${"a".repeat(42)}é`,
			() => "%".repeat(43),
		];
		for (const change of cases) {
			const { verifier, challenge, exchange } = await granted();
			const code_verifier = change(verifier, challenge);
			yield [String(code_verifier), await redeem({ ...exchange, code_verifier })];
		}
	},

	async *"an almost correct code"({ granted, redeem }) {
		const { code, exchange } = await granted();
		const hash = sha256(code);
		for (const almost of [
			` ${code}`,
			`${code} `,
			`${code}\n`,
			`${code}\u0000`,
			code === code.toUpperCase() ? code.toLowerCase() : code.toUpperCase(),
			code.slice(1),
			`${code}A`,
			code + code,
			`${code}=`,
			encodeURIComponent(` ${code}`),
			hash,
			hash.slice(0, 43),
			`code:${hash}`,
			Buffer.from(hash, "hex").toString("base64url"),
			"../code",
			"__proto__",
			"",
			undefined,
		])
			yield [String(almost), await redeem({ ...exchange, code: almost })];
	},

	async *"a code of another client"(login) {
		yield* tryEachChange(login, [
			{ client_id: "another-client" },
			{ client_id: "A-CLIENT" },
			{ client_id: "a-client " },
			{ client_id: "" },
			{ client_id: undefined },
			{ client_id: "https://claude.ai/client" },
		]);
	},

	async *"a code for another redirect URI"(login) {
		yield* tryEachChange(login, [
			{ redirect_uri: "https://evil.example/callback" },
			{ redirect_uri: "http://127.0.0.1:2/callback" },
			{ redirect_uri: "http://localhost:1/callback" },
			{ redirect_uri: "http://127.0.0.1:1/callback/" },
			{ redirect_uri: "http://127.0.0.1:1/Callback" },
			{ redirect_uri: "HTTP://127.0.0.1:1/callback" },
		]);
	},

	async *"a token for another server"(login) {
		yield* tryEachChange(login, [
			{ resource: "https://evil.example/mcp" },
			{ resource: `${login.target.publicUrl}.evil.example/mcp` },
			{ resource: `${login.target.publicUrl}/gui` },
			{ resource: "*" },
		]);
	},

	async *"another kind of grant"(login) {
		yield* tryEachChange(
			login,
			[
				"refresh_token",
				"password",
				"client_credentials",
				"implicit",
				"urn:ietf:params:oauth:grant-type:device_code",
				"urn:ietf:params:oauth:grant-type:jwt-bearer",
				"urn:ietf:params:oauth:grant-type:token-exchange",
				"AUTHORIZATION_CODE",
				"authorization_code ",
				"",
				undefined,
			].map((grant_type) => ({ grant_type, refresh_token: "x", username: "owner", password: "x" })),
		);
	},

	async *"a used code, and the token issued for it"({ granted, redeem, token, client }) {
		for (const stolen of [{}, { code_verifier: pkce().verifier }, { client_id: "another-client" }]) {
			const { exchange } = await granted();
			const got = await token(exchange);
			yield ["again", await redeem({ ...exchange, ...stolen })];
			const headers = ["authorization", `Bearer ${got}`];
			yield [
				"the token of a code that was seen twice",
				await client.call("GET", "/gui/session", { headers }),
			];
		}
	},

	async *"a code while its client exchanges it"({ granted, redeem, token }) {
		const { exchange } = await granted();
		const thief = { ...exchange, code_verifier: pkce().verifier };
		const [, ...stolen] = await Promise.all([
			// Either may be first; what counts is that the thief gets nothing.
			token(exchange).catch(() => null),
			...Array.from({ length: 20 }, () => redeem(thief)),
		]);
		for (const answer of stolen) yield ["at once", answer];
	},

	async *"a code that has expired"({ granted, redeem, target }) {
		for (const seconds of [601, 3_600, 86_400 * 40]) {
			const { exchange } = await granted();
			await target.setNow(Date.now() + seconds * 1_000);
			yield [`after ${seconds} s`, await redeem(exchange)];
			await target.setNow(null);
		}
	},

	async *"JSON of other types"({ granted, client, target }) {
		for (const name of ["grant_type", "code", "code_verifier", "client_id", "redirect_uri", "resource"]) {
			for (const value of [[], {}, 1, true, null, "wrapped", "nested"]) {
				// Omitting it is allowed, and null counts as omitted.
				if (value === null && (name === "redirect_uri" || name === "resource")) continue;
				const { exchange } = await granted();
				const good = { resource: `${target.publicUrl}/mcp`, ...exchange }[name];
				const changed = value === "wrapped" ? [good] : value === "nested" ? { [name]: good } : value;
				const body = JSON.stringify({ ...exchange, [name]: changed });
				yield [body, await client.call("POST", "/token", { headers: JSON_TYPE, body })];
			}
		}
		const { exchange } = await granted();
		const whole = JSON.stringify(exchange);
		for (const body of [
			`[${whole}]`,
			`{"__proto__":${whole}}`,
			`{"constructor":{"prototype":${whole}}}`,
			JSON.stringify(whole),
			whole.slice(0, -1),
			`${whole}${whole}`,
			"null",
			"",
			`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
		])
			yield [body, await client.call("POST", "/token", { headers: JSON_TYPE, body })];
	},

	async *"a repeated parameter"({ granted, post }) {
		for (const name of ["grant_type", "code", "code_verifier", "client_id", "redirect_uri"] as const) {
			const { exchange } = await granted();
			const good = toParameters(exchange);
			for (const second of [good.get(name) ?? "", "other"]) {
				yield [name, await post("/token", new URLSearchParams([...good, [name, second]]))];
				yield [name, await post("/token", new URLSearchParams([[name, second], ...good]))];
			}
			const without = toParameters({ ...exchange, [name]: undefined });
			if (name !== "redirect_uri")
				yield [`${name} in the query`, await post(`/token?${name}=${good.get(name)}`, without)];
		}
	},

	async *"another content type"({ granted, client }) {
		const { exchange } = await granted();
		const form = String(toParameters(exchange));
		const json = JSON.stringify(exchange);
		for (const [type, body] of [
			["text/plain", form],
			["application/json", form],
			["application/x-www-form-urlencoded", json],
			["multipart/form-data; boundary=b", form],
			["application/xml", form],
			["text/json", json],
			["", form],
			["application/octet-stream", form],
		] as const)
			yield [type, await client.call("POST", "/token", { headers: ["content-type", type], body })];
	},

	async *"a body that is too large"({ granted, post }) {
		const { exchange } = await granted();
		yield ["100 kB", await post("/token", toParameters({ ...exchange, state: "x".repeat(100_000) }))];
		yield ["2 MB", await post("/token", toParameters({ ...exchange, state: "x".repeat(2_000_000) }))];
	},

	async *"another method"({ granted, client }) {
		const { exchange } = await granted();
		const body = String(toParameters(exchange));
		for (const method of ["PUT", "PATCH", "DELETE", "GET"]) {
			const headers = ["content-type", "application/x-www-form-urlencoded"];
			yield [method, await client.call(method, "/token", { headers, body })];
			yield [`${method} by query`, await client.call(method, `/token?${body}`)];
		}
		yield [
			"override",
			await client.call("GET", `/token?${body}`, { headers: ["x-http-method-override", "POST"] }),
		];
	},

	async *"the client in a header instead of the body"({ granted, post }) {
		const { exchange } = await granted();
		for (const name of [exchange.client_id ?? "", "another-client"]) {
			const basic = `Basic ${Buffer.from(`${name}:secret`).toString("base64")}`;
			const without = toParameters({ ...exchange, client_id: undefined });
			yield [name, await post("/token", without, ["authorization", basic])];
		}
	},
};
