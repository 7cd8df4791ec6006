import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Signature } from "@tripline/contract/webhook-trigger";
import { verifySignature } from "../src/http/verification/signatures.ts";

interface Example {
	readonly signature: Omit<Signature, "credential">;
	readonly secret: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly url?: string;
	readonly now?: number;
}

const verify = ({ signature, secret, headers, body, url = "https://example.com/", now = 0 }: Example) =>
	verifySignature({
		signature,
		secret,
		headers: new Headers(headers),
		body: new TextEncoder().encode(body),
		url,
		now,
	});

async function assertVerified(example: Example): Promise<void> {
	assert.equal(await verify(example), true);
	const changed = `${example.body.slice(0, -1)}${example.body.endsWith("x") ? "y" : "x"}`;
	assert.match(String(await verify({ ...example, body: changed })), /does not match|must be a JSON object/);
}

describe("examples that the senders publish verify", () => {
	// https://github.com/standard-webhooks/standard-webhooks: the test of its libraries.
	test("Standard Webhooks, with a whsec_ secret", () =>
		assertVerified({
			signature: { scheme: "standard-webhooks" },
			secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
			body: '{"test": 2432232314}',
			headers: {
				"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
				"webhook-timestamp": "1614265330",
				"webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
			},
			now: 1_614_265_330_000,
		}));

	// https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
	test("GitHub", () =>
		assertVerified({
			signature: { scheme: "github" },
			secret: "It's a Secret to Everybody",
			body: "Hello, World!",
			headers: {
				"x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
			},
		}));

	// https://docs.slack.dev/authentication/verifying-requests-from-slack
	test("Slack", () =>
		assertVerified({
			signature: { scheme: "slack" },
			secret: "8f742231b10e8888abcd99yyyzzz85a5",
			body: "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
			headers: {
				"x-slack-request-timestamp": "1531420618",
				"x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
			},
			now: 1_531_420_618_000,
		}));

	// https://github.com/stripe/stripe-dotnet: EventUtilityTest and event_test_signature.json.
	test("Stripe", () =>
		assertVerified({
			signature: { scheme: "stripe" },
			secret: "webhook_secret",
			body: STRIPE_EVENT,
			headers: {
				"stripe-signature":
					"t=1533204620,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7,v0=63f3a72374a733066c4be69ed7f8e5ac85c22c9f0a6a612ab9a025a9e4ee7eef",
			},
			now: 1_533_204_620_000,
		}));

	// https://github.com/sqlpage/SQLPage: tests/sql_test_files/data/hmac_shopify_webhook.sql. Shopify publishes none.
	test("Shopify", () =>
		assertVerified({
			signature: { scheme: "shopify" },
			secret: "test-webhook-secret",
			body: '{"id":1234567890,"email":"customer@example.com","total_price":"123.45"}',
			headers: { "x-shopify-hmac-sha256": "QNyObTlKbMx2qDlPF/ZOZcBqg5OgPg+2oky3zldc0Gw=" },
		}));

	// https://github.com/square/square-nodejs-sdk: tests/integration/webhooks.test.ts.
	test("Square", async () => {
		const signature = { scheme: "square" } as const;
		await assertVerified({
			signature,
			secret: "Ibxx_5AKakO-3qeNVR61Dw",
			url: "https://webhook.site/679a4f3a-dcfa-49ee-bac5-9d0edad886b9",
			body: '{"merchant_id":"MLEFBHHSJGVHD","type":"webhooks.test_notification","event_id":"ac3ac95b-f97d-458c-a6e6-18981597e05f","created_at":"2022-07-13T20:30:59.037339943Z","data":{"type":"webhooks","id":"bc368e64-01aa-407e-b46e-3231809b1129"}}',
			headers: { "x-square-hmacsha256-signature": "GF4YkrJgGBDZ9NIYbNXBnMzqb2HoL4RW/S6vkZ9/2N4=" },
		});
		await assertVerified({
			signature,
			secret: "signature-key",
			url: "https://webhook.site/webhooks",
			body: '{"data":{"type":"webhooks","id":">id<"}}',
			headers: { "x-square-hmacsha256-signature": "Cxt7+aTi4rKgcA0bC4g9EHdVtLSDWdqccmL5MvihU4U=" },
		});
	});

	// RFC 4231, case 2.
	test("a plain HMAC", () =>
		assertVerified({
			signature: { scheme: "hmac-sha256" },
			secret: "Jefe",
			body: "what do ya want for nothing?",
			headers: { "x-signature": "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" },
		}));

	// RFC 2202, case 2 of HMAC-SHA-1, and RFC 4231, case 2.
	test("custom, with each algorithm", async () => {
		const expected = {
			sha1: "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
			sha256: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
			sha512:
				"164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
		} as const;
		for (const [algorithm, value] of Object.entries(expected) as [keyof typeof expected, string][])
			await assertVerified({
				signature: { scheme: "custom", header: "X-Digest", algorithm, prefix: "h=" },
				secret: "Jefe",
				body: "what do ya want for nothing?",
				headers: { "x-digest": `h=${value}` },
			});
	});
});

// https://github.com/twilio/twilio-node: spec/validation.spec.js. The first is the example of Twilio's documentation.
describe("Twilio's examples verify", () => {
	const FORM =
		"CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212";
	const URL_ = "https://mycompany.com/myapp.php?foo=1&bar=2";
	const verifyTwilio = (url: string, value: string, body: string, type: string | null = FORM_TYPE) =>
		verify({
			signature: { scheme: "twilio" },
			secret: "12345",
			url,
			body,
			headers: { "x-twilio-signature": value, ...(type !== null && { "content-type": type }) },
		});

	test("a form", async () => {
		assert.equal(await verifyTwilio(URL_, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", FORM), true);
		const reordered = FORM.split("&").reverse().join("&");
		assert.equal(await verifyTwilio(URL_, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", reordered), true);
		const changed = FORM.replace("1234&", "1235&");
		assert.match(String(await verifyTwilio(URL_, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", changed)), /does not match/);
	});

	test("a form with repeated parameters", async () => {
		const addresses = ["%2B1325xxxxxxx", "%2B1415xxxxxxx"].map((each) => `MessagingBinding.Address=${each}`);
		for (const parts of [addresses, [...addresses].reverse()])
			assert.equal(await verifyTwilio(URL_, "83O6e2vORAoJHUNzJjDWN1jz+BA=", parts.join("&")), true);
		const several = "Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234";
		assert.equal(await verifyTwilio(URL_, "IK+Dwps556ElfBT0I3Rgjkr1wJU=", several), true);
	});

	test("a URL with and without its port", async () => {
		const withPort = URL_.replace(".com", ".com:1234");
		assert.equal(await verifyTwilio(withPort, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", FORM), true);
		assert.equal(await verifyTwilio(URL_, "kvajT1Ptam85bY51eRf/AJRuM3w=", FORM), true);
		const http = withPort.replace("https", "http");
		assert.equal(await verifyTwilio(http, "Zmvh+3yNM1Phv2jhDCwEM3q5ebU=", FORM), true);
		const plain = URL_.replace("https", "http");
		assert.equal(await verifyTwilio(plain, "0ZXoZLH/DfblKGATFgpif+LLRf4=", FORM), true);
		const special = `${URL_}&Body=It's+amazing`;
		assert.equal(await verifyTwilio(special, "dsq4Ehbj6cs+KdTkpF5sSSplOWw=", FORM), true);
	});

	test("a JSON body, whose hash is in the URL", async () => {
		const body = '{"property": "value", "boolean": true}';
		const hash = "0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620";
		const signed = `${URL_}&bodySHA256=${hash}`;
		const type = "application/json";
		assert.equal(await verifyTwilio(signed, "a9nBmqA0ju/hNViExpshrM61xv4=", body, type), true);
		const short = `https://mycompany.com/myapp.php?bodySHA256=${hash}`;
		assert.equal(await verifyTwilio(short, "y77kIzt2vzLz71DgmJGsen2scGs=", body, type), true);
		const other = body.replace("true", "false");
		const verdict = String(await verifyTwilio(signed, "a9nBmqA0ju/hNViExpshrM61xv4=", other, type));
		assert.match(verdict, /does not match bodySHA256/);
	});

	test("a body that is neither a form nor hashed does not pass", async () => {
		for (const type of ["application/json", "text/plain", null])
			assert.match(
				String(await verifyTwilio(URL_, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", FORM, type)),
				/not a form/,
			);
		const unhashed = "https://mycompany.com/myapp.php?bodySHA256=";
		for (const type of [FORM_TYPE, "application/json", null])
			assert.match(
				String(await verifyTwilio(URL_, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", "{}", type)),
				/bodySHA256/,
			);
		assert.match(String(await verifyTwilio(unhashed, "y77kIzt2vzLz71DgmJGsen2scGs=", "{}")), /bodySHA256/);
	});

	test("a form with more than 1,000 parameters is refused before it is read", async () => {
		const verdict = await verifyTwilio(URL_, "RSOYDt4T1cUTdK1PDd93/VVr8B8=", "a=1&".repeat(1_000));
		assert.match(String(verdict), /more than 1000/);
	});
});

describe("examples that were made with Python's hmac module or openssl, as none is published, verify", () => {
	test("Typeform", () =>
		assertVerified({
			signature: { scheme: "typeform" },
			secret: "abc123",
			body: '{"event_id":"LtWXD3crgy","event_type":"form_response"}',
			headers: { "typeform-signature": "sha256=fQ0Tf/AAVUZy1Bdk1is5tXMLH2Il2Qj36lezGX2eN6s=" },
		}));

	test("Meta", () =>
		assertVerified({
			signature: { scheme: "meta" },
			secret: "app-secret",
			body: '{"object":"page","entry":[{"id":"1","time":1520383571}]}',
			headers: {
				"x-hub-signature-256": "sha256=e0ad5df322b95b30cb35917a381a2beb09fb9410e99fbfcd56d666e12e23fff8",
			},
		}));

	test("Zoom", () =>
		assertVerified({
			signature: { scheme: "zoom" },
			secret: "zoom-secret-token",
			body: '{"payload":{"plainToken":"qgg8vlvZRS6UYooatFL8Aw"},"event_ts":1654503849680,"event":"endpoint.url_validation"}',
			headers: {
				"x-zm-request-timestamp": "1654503849",
				"x-zm-signature": "v0=fd1376db6cb3f4672c7ade33cc13700261143da5fd8058e52b5dd50c8bf002fe",
			},
			now: 1_654_503_849_000,
		}));

	// The body and the secret are those of Linear's test, https://github.com/linear/linear: LinearWebhooks.test.ts.
	test("Linear", () =>
		assertVerified({
			signature: { scheme: "linear" },
			secret: "SECRET",
			body: '{"action":"create","data":{"id":"2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9","createdAt":"2020-01-23T12:53:18.084Z","updatedAt":"2020-01-23T12:53:18.084Z","archivedAt":null,"body":"Indeed, I think this is definitely an improvement over the previous version.","edited":false,"issueId":"539068e2-ae88-4d09-bd75-22eb4a59612f","userId":"aacdca22-6266-4c0a-ab3c-8fa70a26765c"},"type":"Comment","url":"https://linear.app/issue/LIN-1778/foo-bar#comment-77217de3-fb52-4dad-bb9a-b356beb93de8","createdAt":"2020-01-23T12:53:18.084Z","webhookTimestamp":1677611643000}',
			headers: {
				"linear-signature": "8790fcbbea809950be9198408593c2a13f7591bba6c61adb589f709b5e1b186a",
			},
			now: 1_677_611_643_000,
		}));

	// The key pair of RFC 8032, section 7.1, test 1.
	test("Discord", () =>
		assertVerified({
			signature: { scheme: "discord" },
			secret: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
			body: '{"type":1}',
			headers: {
				"x-signature-timestamp": "1700000000",
				"x-signature-ed25519":
					"1695961a47c91a1ec033b819b7e87e3dbc583dd0cee6d1fd0216f58ac87b6228ae531ddbf91fb7bc28d7edf7f08604da16f54624f38a6bc0614e4dc13cd47f0f",
			},
			now: 1_700_000_000_000,
		}));
});

const FORM_TYPE = "application/x-www-form-urlencoded; charset=UTF-8";

const STRIPE_EVENT = `{
  "id": "evt_123",
  "object": "event",
  "account": "acct_123",
  "api_version": "2017-05-25",
  "created": 1533204620,
  "data": {
    "object": {
      "id": "cus_123",
      "object": "customer",
      "created": 123456789,
      "email": "test@stripe.com",
      "livemode": false,
      "metadata": {}
    }
  },
  "livemode": false,
  "pending_webhooks": 1,
  "request": {
    "id": "req_123",
    "idempotency_key": "idempotency-key-123"
  },
  "type": "customer.created"
}
`;
