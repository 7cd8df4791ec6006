import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { listProofHeaders } from "@tripline/contract/calling/signings";
import { SIGNATURE_SCHEMES } from "@tripline/contract/calling/words";
import type { Signature, SignatureScheme } from "@tripline/contract/webhook-trigger";
import fc from "fast-check";
import {
	describeSignature,
	type Sent,
	signCall,
	TOKEN_SCHEMES,
	toStoredSecret,
	WINDOW_SECONDS,
} from "../../../test/webhook-senders.ts";
import { verifySignature } from "../src/http/verification/signatures.ts";

const NOW = 1_700_000_000_000;
const SECONDS = String(NOW / 1000);
const SECRET = "a secret of some length";
const BODY = '{"order":7,"名":"值"}';
const URL_ = "https://example.com/webhooks/named/shop/orders/trigger?a=1";

const hmac = (text: string, key: string | Buffer = SECRET) => createHmac("sha256", key).update(text);
const hex = (text: string, key?: string | Buffer) => hmac(text, key).digest("hex");

const sign = (scheme: SignatureScheme, body = BODY, seconds = SECONDS, secret = SECRET): Sent =>
	signCall(scheme, { secret, url: URL_, body, seconds });

interface Options {
	readonly secret?: string;
	readonly now?: number;
	readonly signature?: Omit<Signature, "credential">;
}

const verify = (scheme: SignatureScheme, sent: Omit<Sent, "url"> & { url?: string }, options: Options = {}) =>
	verifySignature({
		signature: options.signature ?? describeSignature(scheme),
		secret: options.secret ?? toStoredSecret(scheme, SECRET),
		headers: new Headers(sent.headers),
		body: new TextEncoder().encode(sent.body),
		url: sent.url ?? URL_,
		now: options.now ?? NOW,
	});

/** The header with the signature or the token. */
const SIGNATURE_HEADER: Record<SignatureScheme, string> = {
	"standard-webhooks": "webhook-signature",
	github: "x-hub-signature-256",
	stripe: "stripe-signature",
	slack: "x-slack-signature",
	"hmac-sha256": "x-signature-256",
	shopify: "x-shopify-hmac-sha256",
	twilio: "x-twilio-signature",
	discord: "x-signature-ed25519",
	meta: "x-hub-signature-256",
	linear: "linear-signature",
	zoom: "x-zm-signature",
	square: "x-square-hmacsha256-signature",
	typeform: "typeform-signature",
	gitlab: "x-gitlab-token",
	telegram: "x-telegram-bot-api-secret-token",
	custom: "x-acme-signature",
};

const ENCODED = /[0-9a-f]{64,128}|[A-Za-z0-9+/]{27,86}={1,2}|a secret of some length/;

async function assertRefused(promise: Promise<true | string>, reason?: RegExp): Promise<void> {
	const answer = await promise;
	assert.equal(typeof answer, "string");
	if (reason !== undefined) assert.match(String(answer), reason);
	assert.ok(!String(answer).includes(SECRET));
}

for (const scheme of SIGNATURE_SCHEMES) {
	const header = SIGNATURE_HEADER[scheme];
	const window = WINDOW_SECONDS[scheme];
	const value = sign(scheme).headers[header] as string;
	const signature = ENCODED.exec(value)?.[0] as string;
	const replaceHeader = (changed: string): Sent => {
		const sent = sign(scheme);
		return { ...sent, headers: { ...sent.headers, [header]: changed } };
	};

	describe(scheme, () => {
		test("a signed call passes", async () => {
			assert.equal(await verify(scheme, sign(scheme)), true);
			// The time of Linear is in the body.
			if (scheme !== "linear") assert.equal(await verify(scheme, sign(scheme, "")), true);
		});

		test("another secret does not pass", async () => {
			await assertRefused(verify(scheme, sign(scheme, BODY, SECONDS, "another")), /does not match/);
		});

		if (!TOKEN_SCHEMES.includes(scheme))
			test("a changed body does not pass", async () => {
				const { body, ...sent } = sign(scheme);
				for (const changed of [`${body} `, body.replace("7", "8"), body.slice(1), "", "{}"])
					await assertRefused(verify(scheme, { ...sent, body: changed }), /does not match/);
			});

		test("a call without one of its headers does not pass", async () => {
			const sent = sign(scheme);
			for (const name of Object.keys(sent.headers)) {
				const { [name]: _, ...headers } = sent.headers;
				await assertRefused(verify(scheme, { ...sent, headers }));
			}
		});

		test("an empty, truncated, longer or repeated signature does not pass", async () => {
			await assertRefused(verify(scheme, replaceHeader("")), /missing/);
			for (const changed of ["", signature.slice(0, -3), signature.slice(0, 8), `${signature}00`])
				await assertRefused(verify(scheme, replaceHeader(value.replace(signature, changed))));
			await assertRefused(verify(scheme, replaceHeader(`${value}, ${value}`)));
		});

		test("a signature with one other character does not pass", async () => {
			for (const at of [0, 5, 20]) {
				const character = signature[at] === "0" ? "1" : "0";
				const changed = signature.slice(0, at) + character + signature.slice(at + 1);
				await assertRefused(
					verify(scheme, replaceHeader(value.replace(signature, changed))),
					/does not match/,
				);
			}
		});

		test("case matters, except that of hex digits", async () => {
			const swapped = value.replace(signature, swapCase(signature));
			if (/^[0-9a-f]+$/.test(signature)) assert.equal(await verify(scheme, replaceHeader(swapped)), true);
			else await assertRefused(verify(scheme, replaceHeader(swapped)));
			const before = value.slice(0, value.indexOf(signature));
			if (before !== swapCase(before))
				await assertRefused(verify(scheme, replaceHeader(value.replace(before, swapCase(before)))));
		});

		test("a call signed for another scheme does not pass", async () => {
			// Meta copied GitHub's scheme.
			const others = SIGNATURE_SCHEMES.filter((other) => SIGNATURE_HEADER[other] !== header);
			for (const other of others) await assertRefused(verify(scheme, sign(other)), /missing/);
		});

		test("nothing passes with an empty secret", async () => {
			await assertRefused(verify(scheme, sign(scheme, BODY, SECONDS, ""), { secret: "" }), /empty/);
		});

		test("any other header value is rejected with a reason", async () => {
			await fc.assert(
				fc.asyncProperty(fc.string({ unit: "grapheme-ascii" }), async (text) => {
					await assertRefused(verify(scheme, replaceHeader(text)));
				}),
				{ numRuns: 50 },
			);
		});

		if (window === undefined) return;

		test(`a call passes up to ${window} seconds before and after its timestamp`, async () => {
			const sent = sign(scheme);
			for (const offset of [-window * 1000, window * 1000])
				assert.equal(await verify(scheme, sent, { now: NOW + offset }), true);
			const reason = window === 300 ? /5 minutes/ : new RegExp(`${window} seconds`);
			for (const offset of [-window * 1000 - 1, window * 1000 + 1])
				await assertRefused(verify(scheme, sent, { now: NOW + offset }), reason);
		});

		test("a stale call does not pass with a new timestamp", async () => {
			const fresh = String(NOW / 1000 + 3600);
			const { url, body, headers } = sign(scheme);
			const move = (text: string) => text.replaceAll(SECONDS, fresh);
			const moved = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, move(text)]));
			const sent = { url, body: move(body), headers: moved };
			await assertRefused(verify(scheme, sent, { now: NOW + 3_600_000 }), /does not match/);
		});

		test("a timestamp that is not whole seconds does not pass", async () => {
			for (const time of ["", "soon", "-1", "1e9", "1700000000.5", "0x10", "99999999999999", " "])
				await assertRefused(verify(scheme, sign(scheme, BODY, time)));
		});
	});
}

const swapCase = (text: string): string =>
	text.replace(/[a-z]/gi, (letter) =>
		letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
	);

describe("the URL", () => {
	test("is signed by Square, Twilio and custom schemes that say so", async () => {
		for (const scheme of ["square", "twilio", "custom"] as const) {
			const sent = sign(scheme);
			for (const url of [
				sent.url.replace("orders", "others"),
				sent.url.replace("a=1", "a=2"),
				`${sent.url}&b=1`,
			])
				await assertRefused(verify(scheme, { ...sent, url }), /does not match/);
		}
	});
});

describe("several signatures", () => {
	test("Stripe and Standard Webhooks pass if one signature matches, whatever the others are", async () => {
		const wrong = "0".repeat(64);
		const right = hex(`${SECONDS}.${BODY}`);
		const stripe = { "stripe-signature": `t=${SECONDS},v1=${wrong},v1=${right}` };
		assert.equal(await verify("stripe", { body: BODY, headers: stripe }), true);
		const sent = sign("standard-webhooks");
		const list = `v1a,abc v1,${Buffer.alloc(32).toString("base64")} ${sent.headers["webhook-signature"]}`;
		const headers = { ...sent.headers, "webhook-signature": list };
		assert.equal(await verify("standard-webhooks", { body: BODY, headers }), true);
	});

	test("more than 8 are refused before any is verified", async () => {
		const list = `,v1=${hex(`${SECONDS}.${BODY}`)}`.repeat(9);
		const headers = { "stripe-signature": `t=${SECONDS}${list}` };
		await assertRefused(verify("stripe", { body: BODY, headers }), /more than 8/);
	});

	test("Stripe's v0 alone does not pass", async () => {
		const headers = { "stripe-signature": `t=${SECONDS},v0=${hex(`${SECONDS}.${BODY}`)}` };
		await assertRefused(verify("stripe", { body: BODY, headers }), /no v1/);
	});
});

describe("Standard Webhooks", () => {
	test("an id with a full stop is refused: part of it could pass for the timestamp", async () => {
		const signature = `v1,${hmac(`a.${SECONDS}.${SECONDS}.${BODY}`).digest("base64")}`;
		const headers = {
			"webhook-id": `a.${SECONDS}`,
			"webhook-timestamp": SECONDS,
			"webhook-signature": signature,
		};
		await assertRefused(verify("standard-webhooks", { body: BODY, headers }), /full stops/);
	});

	test("a secret that is not base64 after whsec_ is reported", async () => {
		const sent = sign("standard-webhooks");
		await assertRefused(verify("standard-webhooks", sent, { secret: "whsec_%%%" }), /not base64/);
	});
});

describe("a plain HMAC", () => {
	const digest = hmac(BODY).digest();

	test("is read as hex or base64, in either header, with or without sha256=", async () => {
		const texts = [
			digest.toString("hex"),
			digest.toString("hex").toUpperCase(),
			digest.toString("base64"),
			digest.toString("base64url"),
		];
		for (const text of texts.flatMap((each) => [each, `sha256=${each}`])) {
			assert.equal(await verify("hmac-sha256", { body: BODY, headers: { "x-signature": text } }), true);
			assert.equal(await verify("hmac-sha256", { body: BODY, headers: { "x-signature-256": text } }), true);
		}
	});

	test("without a timestamp passes at any time", async () => {
		const sent = { body: BODY, headers: { "x-signature": digest.toString("hex") } };
		assert.equal(await verify("hmac-sha256", sent, { now: NOW + 1e12 }), true);
	});

	test("in both headers is refused", async () => {
		const value = digest.toString("hex");
		const headers = { "x-signature": value, "x-signature-256": value };
		await assertRefused(verify("hmac-sha256", { body: BODY, headers }), /not both/);
	});

	test("a stale call cannot pass with its timestamp moved into the body", async () => {
		const headers = { "x-signature": hex(`${SECONDS}.${BODY}`) };
		await assertRefused(
			verify("hmac-sha256", { body: `${SECONDS}.${BODY}`, headers }, { now: NOW * 2 }),
			/digits/,
		);
	});
});

describe("custom", () => {
	const header = "X-Digest";
	const check = (signature: Partial<Signature>, headers: Record<string, string>, options: Options = {}) =>
		verify(
			"custom",
			{ body: BODY, headers },
			{ signature: { scheme: "custom", header, ...signature }, ...options },
		);

	test("signs the body with HMAC-SHA256 in hex unless the workflow says otherwise", async () => {
		assert.equal(await check({}, { "x-digest": hex(BODY) }), true);
		await assertRefused(check({}, { "x-digest": hmac(BODY).digest("base64") }), /32 bytes in hex/);
	});

	test("base64 may be that of URLs and without padding", async () => {
		for (const encoding of ["base64", "base64url"] as const)
			assert.equal(await check({ encoding: "base64" }, { "x-digest": hmac(BODY).digest(encoding) }), true);
	});

	test("a prefix must be there", async () => {
		assert.equal(await check({ prefix: "sha256=" }, { "x-digest": `sha256=${hex(BODY)}` }), true);
		await assertRefused(check({ prefix: "sha256=" }, { "x-digest": hex(BODY) }), /prefix/);
		await assertRefused(check({}, { "x-digest": `sha256=${hex(BODY)}` }));
	});

	test("a time may be in milliseconds", async () => {
		const timed = { signed_text: "{timestamp}.{body}", timestamp_header: "X-Time" };
		const send = (time: string) => ({ "x-time": time, "x-digest": hex(`${time}.${BODY}`) });
		assert.equal(await check(timed, send(`${SECONDS}999`)), true);
		assert.equal(await check(timed, send(`${SECONDS}999`), { now: NOW + 300_999 }), true);
		await assertRefused(check(timed, send(`${SECONDS}999`), { now: NOW + 301_000 }), /5 minutes/);
	});

	test("text around the parts is signed as it is", async () => {
		const text = `a{b} ${URL_} $& ${BODY}.`;
		assert.equal(await check({ signed_text: "a{b} {url} $& {body}." }, { "x-digest": hex(text) }), true);
	});
});

test("base64 of fewer bytes is no signature, though it has as many characters", async () => {
	const headers = { "x-shopify-hmac-sha256": hmac(BODY).digest().subarray(1).toString("base64") };
	await assertRefused(verify("shopify", { body: BODY, headers }), /must be 32 bytes in base64/);
});

describe("Discord", () => {
	test("a secret that is no public key is reported, and nothing passes", async () => {
		for (const secret of ["zz", "0".repeat(63), SECRET])
			await assertRefused(verify("discord", sign("discord"), { secret }), /public key/);
		await assertRefused(verify("discord", sign("discord"), { secret: "f".repeat(64) }));
	});
});

describe("Linear", () => {
	test("a signed body without a time does not pass", async () => {
		for (const body of [
			"",
			"[]",
			"null",
			'{"webhookTimestamp":"now"}',
			'{"data":{"webhookTimestamp":1}}',
			'{"a',
		]) {
			const headers = { "linear-signature": hex(body) };
			await assertRefused(verify("linear", { body, headers }), /webhookTimestamp/);
		}
	});
});

test("a body that is not valid text is verified as raw bytes", async () => {
	const body = new Uint8Array([0xff, 0xfe, 0, 0xc3, 0x28]);
	const headers = new Headers({
		"x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
	});
	const signature = { scheme: "github" } as const;
	const call = { signature, secret: SECRET, headers, body, url: URL_, now: NOW };
	assert.equal(await verifySignature(call), true);
});

test("the header of each scheme is known, so that it is not passed on", () => {
	for (const scheme of SIGNATURE_SCHEMES) {
		const signature = { ...describeSignature(scheme), credential: "c" };
		assert.ok(listProofHeaders(signature).includes(SIGNATURE_HEADER[scheme]), scheme);
	}
});
