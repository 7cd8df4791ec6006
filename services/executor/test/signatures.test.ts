import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { SIGNATURE_SCHEMES, type SignatureScheme } from "@tripline/contract/workflows";
import fc from "fast-check";
import { verifySignature } from "../src/http/signatures.ts";

const NOW = 1_700_000_000_000;
const SECONDS = String(NOW / 1000);
const SECRET = "a secret of some length";
const BODY = '{"order":7,"名":"值"}';

const hmac = (text: string, key: string | Buffer = SECRET) => createHmac("sha256", key).update(text);
const hex = (text: string, key?: string | Buffer) => hmac(text, key).digest("hex");

interface Sent {
	readonly headers: Record<string, string>;
	readonly body: string;
}

/** A call as a sender with this scheme makes it. */
const signers: Record<SignatureScheme, (body: string, seconds: string, secret?: string) => Sent> = {
	"standard-webhooks": (body, seconds, secret = SECRET) => ({
		body,
		headers: {
			"webhook-id": "msg_1",
			"webhook-timestamp": seconds,
			"webhook-signature": `v1,${hmac(`msg_1.${seconds}.${body}`, secret).digest("base64")}`,
		},
	}),
	github: (body, _, secret) => ({
		body,
		headers: { "x-hub-signature-256": `sha256=${hex(body, secret)}` },
	}),
	stripe: (body, seconds, secret) => ({
		body,
		headers: {
			"stripe-signature": `t=${seconds},v1=${hex(`${seconds}.${body}`, secret)},v0=${"0".repeat(64)}`,
		},
	}),
	slack: (body, seconds, secret) => ({
		body,
		headers: {
			"x-slack-request-timestamp": seconds,
			"x-slack-signature": `v0=${hex(`v0:${seconds}:${body}`, secret)}`,
		},
	}),
	"hmac-sha256": (body, seconds, secret) => ({
		body,
		headers: {
			"x-signature-timestamp": seconds,
			"x-signature-256": `sha256=${hex(`${seconds}.${body}`, secret)}`,
		},
	}),
};

const SIGNATURE_HEADER: Record<SignatureScheme, string> = {
	"standard-webhooks": "webhook-signature",
	github: "x-hub-signature-256",
	stripe: "stripe-signature",
	slack: "x-slack-signature",
	"hmac-sha256": "x-signature-256",
};

const verify = (scheme: SignatureScheme, sent: Sent, options: { secret?: string; now?: number } = {}) =>
	verifySignature({
		scheme,
		secret: options.secret ?? SECRET,
		headers: new Headers(sent.headers),
		body: new TextEncoder().encode(sent.body),
		now: options.now ?? NOW,
	});

async function assertRefused(promise: Promise<true | string>, reason?: RegExp): Promise<void> {
	const answer = await promise;
	assert.equal(typeof answer, "string");
	if (reason !== undefined) assert.match(String(answer), reason);
	assert.ok(!String(answer).includes(SECRET));
}

describe("published examples verify", () => {
	test("Standard Webhooks, with a whsec_ secret", async () => {
		const sent = {
			body: '{"test": 2432232314}',
			headers: {
				"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
				"webhook-timestamp": "1614265330",
				"webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
			},
		};
		const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
		assert.equal(await verify("standard-webhooks", sent, { secret, now: 1_614_265_330_000 }), true);
	});

	test("GitHub", async () => {
		const signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
		const sent = { body: "Hello, World!", headers: { "x-hub-signature-256": signature } };
		assert.equal(await verify("github", sent, { secret: "It's a Secret to Everybody" }), true);
	});

	test("Slack", async () => {
		const body =
			"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
		const headers = {
			"x-slack-request-timestamp": "1531420618",
			"x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
		};
		const secret = "8f742231b10e8888abcd99yyyzzz85a5";
		assert.equal(await verify("slack", { body, headers }, { secret, now: 1_531_420_618_000 }), true);
	});

	test("RFC 4231, case 2, as a plain HMAC", async () => {
		const signature = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
		const sent = { body: "what do ya want for nothing?", headers: { "x-signature": signature } };
		assert.equal(await verify("hmac-sha256", sent, { secret: "Jefe" }), true);
	});
});

for (const scheme of SIGNATURE_SCHEMES) {
	const sign = signers[scheme];
	const header = SIGNATURE_HEADER[scheme];
	const replaceHeader = (value: string): Sent => {
		const sent = sign(BODY, SECONDS);
		return { ...sent, headers: { ...sent.headers, [header]: value } };
	};

	describe(scheme, () => {
		test("a signed call passes, also with an empty body", async () => {
			assert.equal(await verify(scheme, sign(BODY, SECONDS)), true);
			assert.equal(await verify(scheme, sign("", SECONDS)), true);
		});

		test("another secret does not pass", async () => {
			await assertRefused(verify(scheme, sign(BODY, SECONDS, "another")), /does not match/);
		});

		test("a changed body does not pass", async () => {
			await assertRefused(verify(scheme, { ...sign(BODY, SECONDS), body: `${BODY} ` }), /does not match/);
		});

		test("a call without one of its headers does not pass", async () => {
			const sent = sign(BODY, SECONDS);
			for (const name of Object.keys(sent.headers)) {
				const { [name]: _, ...headers } = sent.headers;
				await assertRefused(verify(scheme, { ...sent, headers }));
			}
		});

		test("an empty, truncated, longer or repeated signature does not pass", async () => {
			const value = sign(BODY, SECONDS).headers[header] as string;
			const signature = /[0-9a-f]{64}|[A-Za-z0-9+/]{43}=/.exec(value)?.[0] as string;
			await assertRefused(verify(scheme, replaceHeader("")), /missing/);
			for (const changed of ["", signature.slice(0, -2), signature.slice(0, 8), `${signature}00`]) {
				await assertRefused(verify(scheme, replaceHeader(value.replace(signature, changed))));
			}
			const headers = new Headers(sign(BODY, SECONDS).headers);
			headers.append(header, value);
			const body = new TextEncoder().encode(BODY);
			await assertRefused(verifySignature({ scheme, secret: SECRET, headers, body, now: NOW }));
		});

		test("a call signed for another scheme does not pass", async () => {
			for (const other of SIGNATURE_SCHEMES.filter((each) => each !== scheme)) {
				await assertRefused(verify(scheme, signers[other](BODY, SECONDS)), /missing/);
			}
		});

		test("nothing passes with an empty secret", async () => {
			await assertRefused(verify(scheme, sign(BODY, SECONDS, ""), { secret: "" }), /empty/);
		});

		test("any other header value is rejected with a reason", async () => {
			await fc.assert(
				fc.asyncProperty(fc.string({ unit: "grapheme-ascii" }), async (value) => {
					await assertRefused(verify(scheme, replaceHeader(value)));
				}),
				{ numRuns: 50 },
			);
		});

		if (scheme === "github") return;

		test("a call passes up to 5 minutes before and after its timestamp", async () => {
			const sent = sign(BODY, SECONDS);
			for (const now of [NOW - 300_000, NOW + 300_000]) {
				assert.equal(await verify(scheme, sent, { now }), true);
			}
			for (const now of [NOW - 300_001, NOW + 300_001]) {
				await assertRefused(verify(scheme, sent, { now }), /5 minutes/);
			}
		});

		test("a stale call does not pass with a new timestamp", async () => {
			const fresh = String(NOW / 1000 + 3600);
			const { body, headers } = sign(BODY, SECONDS);
			const moved = Object.fromEntries(
				Object.entries(headers).map(([name, value]) => [name, value.replace(SECONDS, fresh)]),
			);
			await assertRefused(
				verify(scheme, { body, headers: moved }, { now: NOW + 3_600_000 }),
				/does not match/,
			);
		});

		test("a timestamp that is not whole seconds does not pass", async () => {
			for (const time of ["", "soon", "-1", "1e9", "1700000000.5", "0x10", "99999999999999", " "]) {
				await assertRefused(verify(scheme, sign(BODY, time)));
			}
		});
	});
}

describe("several signatures", () => {
	test("Stripe and Standard Webhooks pass if one signature matches, whatever the others are", async () => {
		const wrong = "0".repeat(64);
		const right = hex(`${SECONDS}.${BODY}`);
		const stripe = { "stripe-signature": `t=${SECONDS},v1=${wrong},v1=${right}` };
		assert.equal(await verify("stripe", { body: BODY, headers: stripe }), true);
		const sent = signers["standard-webhooks"](BODY, SECONDS);
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
		const sent = signers["standard-webhooks"](BODY, SECONDS);
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

test("a body that is not valid text is verified as raw bytes", async () => {
	const body = new Uint8Array([0xff, 0xfe, 0, 0xc3, 0x28]);
	const headers = new Headers({
		"x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
	});
	assert.equal(await verifySignature({ scheme: "github", secret: SECRET, headers, body, now: NOW }), true);
});
