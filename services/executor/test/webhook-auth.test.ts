import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Failed } from "@tripline/contract/failures";
import type { Auth } from "@tripline/contract/webhook-trigger";
import { checkAuth } from "../src/http/verification/auth.ts";

const SECRET = "s3cr3t-值";
const stored: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	"signing secret": { secret: "s3cr3t" },
	"bearer token": { host: "example.com", token: "s3cr3t" },
	login: { host: "example.com", username: "ada", password: SECRET },
	"api key": { host: "example.com", key: "s3cr3t" },
	value: { value: "s3cr3t" },
	empty: { secret: "", token: "", key: "", value: "", username: "", password: "" },
	colon: { username: "ad:a", password: "x" },
};

const check = (auth: Auth, headers: Record<string, string>) =>
	checkAuth({
		auth,
		headers: new Headers(headers),
		revealCredential: async (name) => {
			const fields = stored[name];
			return fields === undefined ? null : { fields };
		},
	});

async function assertRefused(auth: Auth, headers: Record<string, string>, reason: RegExp): Promise<void> {
	await assert.rejects(check(auth, headers), (error) => {
		assert.ok(error instanceof Failed && error.failure.kind === "unauthorized");
		assert.match(error.message, /^not authenticated: /);
		assert.match(error.message, reason);
		assert.ok(!/s3cr3t|ada/.test(error.message));
		const challenges = {
			bearer: 'Bearer realm="tripline"',
			basic: 'Basic realm="tripline", charset="UTF-8"',
			header: "",
		};
		assert.equal(error.failure.challenge, challenges[auth.scheme]);
		return true;
	});
}

const encode = (text: string) => Buffer.from(text).toString("base64");

describe("bearer", () => {
	for (const credential of ["signing secret", "bearer token"])
		test(`passes with the token of a ${credential}`, async () => {
			const auth = { scheme: "bearer", credential } as const;
			await check(auth, { authorization: "Bearer s3cr3t" });
			await check(auth, { authorization: "bearer  s3cr3t" });
			for (const token of ["S3cr3t", "s3cr3", "s3cr3tt", "x"])
				await assertRefused(auth, { authorization: `Bearer ${token}` }, /does not match/);
			for (const value of ["", "Bearer", "Bearer ", "s3cr3t", "Basic s3cr3t", "Bearer s3cr3t, Bearer s3cr3t"])
				await assertRefused(auth, { authorization: value }, /must be Bearer/);
			await assertRefused(auth, {}, /must be Bearer/);
		});
});

describe("basic", () => {
	const auth = { scheme: "basic", credential: "login" } as const;
	const send = (text: string) => ({ authorization: `Basic ${encode(text)}` });

	test("passes with the user name and the password, in UTF-8", async () => {
		await check(auth, send(`ada:${SECRET}`));
		await check(auth, { authorization: `basic ${encode(`ada:${SECRET}`)}` });
		for (const text of [`ada:${SECRET}x`, `Ada:${SECRET}`, `ada:`, "ada", `:${SECRET}`, `ada: ${SECRET}`])
			await assertRefused(auth, send(text), /does not match/);
		for (const value of ["", "Basic", "Basic %%%", "Basic ====", "Bearer s3cr3t"])
			await assertRefused(auth, { authorization: value }, /must be Basic/);
	});

	test("a colon in the user name could move the border to the password, so nothing passes", async () => {
		await assertRefused({ scheme: "basic", credential: "colon" }, send("ad:a:x"), /no field username and/);
	});
});

describe("header", () => {
	for (const credential of ["signing secret", "api key", "value"])
		test(`passes with the value of a credential: ${credential}`, async () => {
			const auth = { scheme: "header", credential } as const;
			await check(auth, { "x-api-key": "s3cr3t" });
			await check({ ...auth, header: "X-My-Key" }, { "x-my-key": "s3cr3t" });
			await assertRefused(auth, { "x-api-key": "S3CR3T" }, /does not match/);
			await assertRefused(auth, { "x-api-key": "s3cr3t, s3cr3t" }, /does not match/);
			await assertRefused(auth, { "x-my-key": "s3cr3t" }, /X-API-Key is missing/);
			await assertRefused({ ...auth, header: "X-My-Key" }, { "x-my-key": "" }, /X-My-Key is missing/);
		});
});

test("nothing passes with a credential that does not exist, is empty or of another kind", async () => {
	const calls = {
		bearer: { authorization: "Bearer s3cr3t" },
		basic: { authorization: `Basic ${encode("ada:s3cr3t")}` },
		header: { "x-api-key": "s3cr3t" },
	} as const;
	const unusable = {
		bearer: ["none", "empty", "login", "api key"],
		basic: ["none", "empty", "signing secret", "bearer token"],
		header: ["none", "empty", "login", "bearer token"],
	} as const;
	for (const scheme of ["bearer", "basic", "header"] as const)
		for (const credential of unusable[scheme])
			await assertRefused({ scheme, credential }, calls[scheme], /does not exist or has no field/);
	await assertRefused(
		{ scheme: "basic", credential: "empty" },
		{ authorization: `Basic ${encode(":")}` },
		/no field/,
	);
});
