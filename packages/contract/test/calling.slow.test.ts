import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { describeCall } from "../src/calling/facts.ts";
import { buildQueryCurl, listCalls, type SampleInput } from "../src/calling/samples.ts";
import { SENDERS } from "../src/calling/senders.ts";
import { buildSignedCurl } from "../src/calling/signed-curl.ts";
import { describeSigningText, findSigning } from "../src/calling/signings.ts";
import { SIGNATURE_SCHEMES } from "../src/calling/words.ts";
import type { Auth, Signature } from "../src/webhook-trigger.ts";
import type { Trigger } from "../src/workflows.ts";

/** Runs a command with a `curl` that prints its arguments, one per line. */
const arguments_ = (command: string, env: Readonly<Record<string, string>> = {}): readonly string[] =>
	execFileSync("sh", ["-c", `curl() { for word in "$@"; do printf '%s\\036' "$word"; done; }\n${command}`], {
		encoding: "utf8",
		env: { PATH: process.env.PATH ?? "", ...env },
	})
		.split("\u001e")
		.slice(0, -1);

const URL_ = "https://example.com/webhooks/named/default/it's%20$HOME/trigger";

const describeTrigger = (trigger: Omit<Trigger, "type">) =>
	describeCall(URL_, { trigger: { type: "webhook", ...trigger } });
const list = (trigger: Omit<Trigger, "type">, given: SampleInput = { input: {} }) =>
	Object.fromEntries(listCalls(describeTrigger(trigger), given).map(({ kind, text }) => [kind, text]));

describe("calls", () => {
	it("are of the bodies and methods that the trigger takes", () => {
		const kinds = (trigger: Omit<Trigger, "type">) => Object.keys(list(trigger));
		assert.deepEqual(kinds({}), ["json"]);
		assert.deepEqual(kinds({ accept: ["json", "form"] }), ["json", "form", "html"]);
		assert.deepEqual(kinds({ methods: ["GET"] }), ["query"]);
		assert.deepEqual(kinds({ methods: ["GET", "PUT"], accept: ["form"] }), ["form", "query"]);
		assert.deepEqual(kinds({ form: {} }), ["form", "files", "html"]);
		assert.deepEqual(kinds({ accept: ["text", "bytes"] }), ["text", "bytes"]);
		const credential = "sender";
		assert.deepEqual(kinds({ accept: ["form"], auth: { scheme: "bearer", credential } }), ["form"]);
		assert.deepEqual(kinds({ accept: ["json", "form"], signature: { scheme: "discord", credential } }), []);
	});

	it("are quoted safely for the shell", () => {
		const input = { text: `it's "$HOME" \`id\` \\ !\n第二行`, list: ["@/etc/passwd", 2] };
		const { json = "", form = "", files = "" } = list({ accept: ["json", "form", "files"] }, { input });
		const words = arguments_(json);
		assert.deepEqual([words[1], words.at(-2), words.at(-1)], [URL_, "--data-raw", JSON.stringify(input)]);
		assert.ok(arguments_(form).includes(`text=${input.text}`));
		assert.ok(arguments_(form).includes("list=@/etc/passwd"));
		assert.ok(arguments_(files).includes(`text=${input.text}`));
	});

	it("send a file for each property that is one", () => {
		const file = { type: "object", format: "file", contentMediaType: "image/*" };
		const schema = {
			type: "object",
			required: ["cv"],
			properties: { cv: file, more: { type: "array", items: file } },
		};
		const input = { cv: { $file: "x" }, who: "Ada" };
		const { files = "", html = "" } = list({ accept: ["files"] }, { input, schema });
		assert.deepEqual(arguments_(files).slice(2), [
			"--form-string",
			"who=Ada",
			"-F",
			"cv=@photo.jpg",
			"-F",
			"more=@photo.jpg",
		]);
		assert.match(html, /<input type="file" name="cv" required accept="image\/\*">/);
		assert.match(html, /<input type="file" name="more" accept="image\/\*" multiple>/);
		assert.doesNotMatch(html, /name="file"/);
	});

	it("read the credential from variables", () => {
		const credential = "door";
		const find = (auth: Auth) =>
			arguments_(list({ auth }).json ?? "", { TOKEN: "t 1", USERNAME: "u", PASSWORD: "p" });
		assert.ok(find({ scheme: "bearer", credential }).includes("Authorization: Bearer t 1"));
		assert.ok(find({ scheme: "header", credential }).includes("X-API-Key: t 1"));
		assert.ok(find({ scheme: "header", credential, header: "X-Key" }).includes("X-Key: t 1"));
		assert.ok(find({ scheme: "basic", credential }).includes("u:p"));
	});

	it("use another method than POST if only that is taken, and send a body without fields", () => {
		const words = arguments_(list({ methods: ["PUT"], accept: ["form"] }).form ?? "");
		assert.deepEqual(words.slice(2), ["-X", "PUT", "--data", ""]);
	});

	it("include the idempotency key", () =>
		assert.ok(
			arguments_(list({}, { input: {}, idempotencyKey: "order-7" }).json ?? "").includes(
				"Idempotency-Key: order-7",
			),
		));

	it("put the input of a GET into the URL", () =>
		assert.equal(
			buildQueryCurl("https://x/q/a/b", { q: "a b&c", n: 1 }),
			"curl -sS 'https://x/q/a/b?q=a+b%26c&n=1'",
		));

	it("have an HTML form with a field for each property, escaped", () => {
		const schema = {
			type: "object",
			required: ["mail", "agree"],
			properties: {
				mail: { type: "string", format: "email", title: 'E-mail "<b>"' },
				agree: { type: "boolean" },
				size: { enum: ["S", "<M>"] },
			},
		};
		const { html = "" } = list({ accept: ["form"] }, { input: {}, schema });
		assert.match(html, /<form method="post" action="https:\/\/example\.com[^"]+">/);
		assert.match(html, /E-mail &quot;&lt;b&gt;&quot; <input type="email" name="mail" required>/);
		assert.match(html, /<input type="checkbox" value="true" name="agree">/);
		assert.match(html, /<select name="size"><option>S<\/option><option>&lt;M&gt;<\/option><\/select>/);
		assert.match(list({ form: {} }).html ?? "", /enctype="multipart\/form-data"/);
	});
});

describe("senders", () => {
	it("exist for every scheme that is named after a service", () => {
		const general = ["standard-webhooks", "hmac-sha256", "custom"];
		const named = SIGNATURE_SCHEMES.filter((scheme) => !general.includes(scheme));
		assert.deepEqual(SENDERS.map(({ id }) => id).sort(), named.sort());
	});

	it("have as many steps in every language", () => {
		for (const { steps } of SENDERS) assert.equal(steps.en.length, steps["zh-Hant"].length);
	});
});

describe("signed curl command", { skip: !hasOpenssl() }, () => {
	const SECRET = "a long random text";
	const body = `{"it's":"第一"}`;
	const credential = "sender";
	const custom: Signature = {
		scheme: "custom",
		credential,
		header: "X-Acme-Signature",
		algorithm: "sha512",
		encoding: "base64",
		prefix: `v1"$HOME=`,
		signed_text: `100%s \\ {timestamp}|{url}|$HOME{body}`,
		timestamp_header: "X-Acme-Time",
	};
	const signatures: readonly Signature[] = [
		...SIGNATURE_SCHEMES.filter((scheme) => scheme !== "custom").map((scheme) => ({ scheme, credential })),
		custom,
	];
	const send = (signature: Signature) => {
		const words = arguments_(buildSignedCurl({ url: URL_, body, signature }) ?? "", { SECRET });
		const headers = words.filter((_, index) => words[index - 1] === "-H").join("\n");
		return { headers, url: words[1] ?? "", body: words.at(-1) ?? "" };
	};

	for (const signature of signatures.filter(({ scheme }) => scheme !== "discord"))
		it(`follows ${signature.scheme}`, () => {
			const sent = send(signature);
			const time = /(\d{10})/.exec(sent.headers)?.[1] ?? "";
			const id = /webhook-id: (.*)/.exec(sent.headers)?.[1] ?? "";
			const { signed } = findSigning(signature);
			const text = (signed === null ? "" : describeSigningText(signed.text))
				.replace("{time}", () => time)
				.replace("{id}", () => id)
				.replace("{url}", () => sent.url)
				.replace("{body}", () => sent.body);
			const expected =
				signed === null ? SECRET : createHmac(signed.hash, SECRET).update(text).digest(signed.encoding);
			assert.ok(sent.headers.includes(expected), sent.headers);
			if (signature.scheme !== "linear") assert.equal(sent.body, body);
			if (signature.scheme !== "twilio") assert.equal(sent.url, URL_);
		});

	it("describes a custom signed text as it is written", () => {
		const { signed } = findSigning(custom);
		assert.equal(
			describeSigningText(signed?.text ?? []),
			custom.signed_text?.replace("{timestamp}", "{time}"),
		);
		assert.ok(send(custom).headers.includes(`X-Acme-Signature: v1"$HOME=`));
	});

	it("puts the time of Linear into the body", () => {
		const sent = JSON.parse(send({ scheme: "linear", credential }).body);
		assert.ok(Math.abs(sent.webhookTimestamp - Date.now()) < 60_000);
		assert.equal(sent["it's"], "第一");
		const empty = arguments_(
			buildSignedCurl({ url: URL_, body: "{ }", signature: { scheme: "linear", credential } }) ?? "",
			{ SECRET },
		).at(-1);
		assert.deepEqual(Object.keys(JSON.parse(empty ?? "")), ["webhookTimestamp"]);
	});

	it("puts the hash of the body into the URL for Twilio", () => {
		const { url } = send({ scheme: "twilio", credential });
		assert.equal(url, `${URL_}?bodySHA256=${createHash("sha256").update(body).digest("hex")}`);
	});

	it("does not exist for Discord, which alone has the private key", () =>
		assert.equal(buildSignedCurl({ url: URL_, body, signature: { scheme: "discord", credential } }), null));
});

function hasOpenssl(): boolean {
	try {
		execFileSync("sh", ["-c", "command -v openssl"]);
		return true;
	} catch {
		return false;
	}
}
