import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { redactor } from "../../src/outbound/redact.ts";
import { openOutbound, type Seen, type Stored, secret, toAuthRecipe } from "./network.ts";

const html = (text: string) =>
	text.replace(
		/[&<>"']/g,
		(one) => `&${{ "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" }[one]};`,
	);
const bytes = (text: string) => Buffer.from(text, "utf8");
const escapeEveryByte = (text: string) => bytes(text).toString("hex").replace(/../g, "%$&");
const escapeEveryUnit = (text: string) =>
	text
		.split("")
		.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
		.join("");

/** Each character as a numeric reference. */
const references = (text: string, write: (code: number, nth: number) => string) =>
	Array.from(text, (one, nth) => write(one.codePointAt(0) ?? 0, nth)).join("");

/** From the standard's list. */
const NAMES: Record<string, string> = {
	...{
		"!": "excl",
		'"': "quot",
		"#": "num",
		$: "dollar",
		"%": "percnt",
		"&": "amp",
		"'": "apos",
		"(": "lpar",
	},
	...{ ")": "rpar", "*": "ast", "+": "plus", ",": "comma", "-": "dash", ".": "period", "/": "sol" },
	...{ ":": "colon", ";": "semi", "<": "lt", "=": "equals", ">": "gt", "?": "quest", "@": "commat" },
	...{ "[": "lbrack", "\\": "bsol", "]": "rbrack", "^": "Hat", _: "lowbar", "`": "grave", "{": "lcub" },
	...{ "|": "verbar", "}": "rcub", "\u00a0": "nbsp", é: "eacute", É: "Eacute", ß: "szlig", ÿ: "yuml" },
};
const toNamedReference = (one: string): string => (NAMES[one] === undefined ? one : `&${NAMES[one]};`);

/** The encodings in which a server may echo a value. */
const spellings: Record<string, (text: string) => string> = {
	"as it is": (text) => text,
	"in JSON": (text) => JSON.stringify(text).slice(1, -1),
	"in JSON in JSON": (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
	"in JSON with escaped slashes": (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
	"in JSON for HTML": (text) =>
		JSON.stringify(text)
			.slice(1, -1)
			.replace(/[<>&']/g, (one) => escapeEveryUnit(one)),
	"in JSON in ASCII": (text) =>
		JSON.stringify(text)
			.slice(1, -1)
			.replace(/[^\0-\x7f]/g, (one) => escapeEveryUnit(one)),
	"in a URL": encodeURIComponent,
	"in a URL, small hex": (text) => encodeURIComponent(text).replace(/%../g, (one) => one.toLowerCase()),
	"in a URL in a URL": (text) => encodeURIComponent(encodeURIComponent(text)),
	"in a URL, all of it": escapeEveryByte,
	"in a form": (text) => new URLSearchParams([["", text]]).toString().slice(1),
	"in HTML": html,
	"in HTML in HTML": (text) => html(html(text)),
	"in HTML by number": (text) => text.replace(/[^a-z0-9]/giu, (one) => `&#${one.codePointAt(0)};`),
	"in HTML by hex number": (text) =>
		text.replace(/[^a-z0-9]/giu, (one) => `&#x${one.codePointAt(0)?.toString(16)};`),
	"in HTML by number, all of it": (text) => references(text, (code) => `&#${code};`),
	"in HTML by hex number, all of it": (text) => references(text, (code) => `&#x${code.toString(16)};`),
	"in HTML by capital hex number, all of it": (text) =>
		references(text, (code) => `&#X${code.toString(16).toUpperCase()};`),
	"in HTML by number with zeros": (text) =>
		references(text, (code) => `&#${code.toString().padStart(7, "0")};`),
	"in HTML by number without semicolons": (text) => references(text, (code) => `&#${code}`),
	"in HTML, half of it by number": (text) =>
		references(text, (code, nth) => (nth % 2 === 0 ? `&#${code};` : html(String.fromCodePoint(code)))),
	"in HTML by name": (text) => text.replace(/[!-/:-@[-`{-~\u00a0-\u00ff]/g, toNamedReference),
	"in HTML in HTML by number": (text) => html(references(text, (code) => `&#${code};`)),
	"in HTML in JSON for HTML": (text) => references(text, (code) => `\\u0026#${code};`),
	"in base64": (text) => bytes(text).toString("base64"),
	"in base64 in HTML": (text) => bytes(text).toString("base64").replaceAll("+", "&#43;"),
	"in base64 in base64": (text) => bytes(bytes(text).toString("base64")).toString("base64"),
	"in base64 for URLs in base64 for URLs": (text) =>
		bytes(bytes(text).toString("base64url")).toString("base64url"),
	"in base64 after one byte in base64": (text) =>
		bytes(bytes(`x${text}`).toString("base64")).toString("base64"),
	"in base64 after two bytes in base64": (text) =>
		bytes(bytes(`xy${text}`).toString("base64")).toString("base64"),
	"in base64 in base64 after one byte": (text) =>
		bytes(`x${bytes(text).toString("base64")}`).toString("base64"),
	"in base64 in base64 after two bytes": (text) =>
		bytes(`xy${bytes(text).toString("base64")}`).toString("base64"),
	"in base64 in base64 amid others": (text) =>
		bytes(`{"a":"${bytes(`user:${text}`).toString("base64")}"}`).toString("base64"),
	"in base64 for URLs": (text) => bytes(text).toString("base64url"),
	"in base64 after one byte": (text) => bytes(`x${text}`).toString("base64"),
	"in base64 after two bytes": (text) => bytes(`xy${text}`).toString("base64"),
	"in base64 amid others": (text) => bytes(`Authorization: ${text}\r\nX: y`).toString("base64"),
	"in base64 in a URL": (text) => encodeURIComponent(bytes(text).toString("base64")),
	"in base64 in JSON": (text) => bytes(text).toString("base64").replaceAll("/", "\\/"),
	"in hex": (text) => bytes(text).toString("hex"),
	"in capital hex": (text) => bytes(text).toString("hex").toUpperCase(),
	"in units": escapeEveryUnit,
};

const wellFormed = (options: { minLength: number; maxLength: number }) =>
	fc
		.string({ unit: "grapheme", ...options })
		.filter((text) => text.isWellFormed() && text.length >= options.minLength);
const ascii = fc.string({ unit: "grapheme-ascii", minLength: 8, maxLength: 60 });
const token = fc.stringMatching(/^[A-Za-z0-9_./+=:-]{8,80}$/);

describe("redaction", () => {
	for (const [how, write] of Object.entries(spellings)) {
		test(`redacts any value that is written ${how}`, () => {
			const around = fc.constantFrom("", '{"a":"', " ", "\n", "=", "&b=", "<p>", "é", "日本", ">>");
			fc.assert(
				fc.property(
					fc.oneof(token, ascii, wellFormed({ minLength: 8, maxLength: 40 })),
					around,
					around,
					(value, before, after) => {
						const written = write(value);
						const text = `${before}${written}${after}`;
						const clean = redactor([value]).text(text);
						assert.ok(clean.includes("[redacted]"), JSON.stringify({ text, clean }));
						// Padding, and neighbouring text in the same base64, may remain.
						const left = clean.length - "[redacted]".length - before.length - after.length;
						assert.ok(left <= (how.includes("amid") ? 32 : 12), JSON.stringify({ text, clean }));
						const ofBytes = redactor([value]).bytes(new TextEncoder().encode(text));
						assert.equal(new TextDecoder("utf-8", { ignoreBOM: true }).decode(ofBytes), clean);
					},
				),
				{ numRuns: 60 },
			);
		});
	}

	test("leaves other text unchanged", () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 300 }), token, (given, value) => {
				fc.pre(
					!Buffer.from(given).toString("latin1").toLowerCase().includes(value.slice(0, 3).toLowerCase()),
				);
				assert.equal(redactor([value]).bytes(given), given);
			}),
		);
	});

	test("leaves binary data around a value unchanged", () => {
		const value = "t0k3n-välue";
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 50 }), fc.uint8Array({ maxLength: 50 }), (before, after) => {
				const given = Buffer.concat([before, Uint8Array.of(255), bytes(value), Uint8Array.of(254), after]);
				const expected = Buffer.concat([
					before,
					Uint8Array.of(255),
					Buffer.from("[redacted]"),
					Uint8Array.of(254),
					after,
				]);
				assert.deepEqual(Buffer.from(redactor([value]).bytes(given)), expected);
			}),
		);
	});

	test("redacts several values, overlapping ones and every occurrence", () => {
		const clean = redactor(["alpha-secret", "secret-beta!", "gamma-value"]);
		assert.equal(
			clean.text("alpha-secret-beta! gamma-value gamma-valuegamma-value"),
			"[redacted] [redacted] [redacted]",
		);
		assert.equal(
			redactor(["aaaaaaaa"])
				.text(`x${"a".repeat(20)}y`)
				.includes("aaaaaaaa"),
			false,
		);
	});

	test("redacts a long value in parts, with or without its line breaks", () => {
		const lines = Array.from({ length: 28 }, (_, index) =>
			Buffer.alloc(48, index * 37 + 11).toString("base64"),
		);
		const key = `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
		const clean = redactor([key]);
		for (const text of [
			key,
			JSON.stringify(key),
			key.replaceAll("\n", "\r\n"),
			key.replaceAll("\n", ""),
			key.slice(0, 900),
		]) {
			const left = clean.text(`<${text}>`);
			assert.ok(left.length < 300, left);
			for (const line of lines.slice(0, 8)) assert.ok(!left.includes(line), left);
		}
	});

	test("redacts short values only as whole words, and the shortest not at all", () => {
		const clean = redactor(["p4ss", "ab"]);
		assert.equal(clean.text('p4ss "p4ss" p4ssport xp4ss ab'), '[redacted] "[redacted]" p4ssport xp4ss ab');
		assert.equal(clean.text(Buffer.from("p4ss").toString("base64")), "[redacted]==");
		assert.equal(clean.text("70347373"), "[redacted]");
		const twice = bytes(bytes("p4ss").toString("base64")).toString("base64");
		assert.equal(clean.text(`"${twice}" x${twice}x`), `"[redacted]=" x${twice}x`);
		assert.equal(
			clean.text("&#112;4s&#x73; x&#112;4ss &quot;p4ss&quot;"),
			`[redacted] x&#112;4ss &quot;[redacted]&quot;`,
		);
		assert.equal(redactor(["", "abc"]).text("abcabc"), "abcabc");
	});

	test("finds values without letters", () => {
		const value = "!$%&/()=?+*#'";
		for (const write of [
			spellings["as it is"],
			spellings["in a URL"],
			spellings["in JSON"],
			spellings["in HTML"],
		]) {
			assert.equal(redactor([value]).text(`<${write?.(value)}>`), "<[redacted]>");
		}
	});

	test("finds a value in HTML that looks like a character reference itself", () => {
		for (const value of ["&A0;secretsecret", "&A0;&B1;secret", "&unknown;secret"])
			for (const write of [spellings["in HTML"], spellings["in HTML in HTML"]])
				assert.equal(redactor([value]).text(`<${write?.(value)}>`), "<[redacted]>");
	});

	test("finds values whose lower case depends on context or is longer", () => {
		for (const value of ["ꙀΣ        ", "κωδικόΣ-ΟΔΟΣ", "ΟΔΟΣ ΟΔΟΣ", "İSTANBUL-İ"])
			for (const after of ["", " ", "a", "Σ"])
				assert.equal(redactor([value]).text(`<${value}${after}>`), `<[redacted]${after}>`);
	});

	test("runs in linear time, whatever the text contains", () => {
		const value = `${"a".repeat(40)}b`;
		const hostile = "a".repeat(1 << 20);
		const started = performance.now();
		assert.equal(redactor([value]).text(hostile), hostile);
		assert.ok(performance.now() - started < 10_000);
	});

	test("redacts every occurrence in a large response", () => {
		const value = "s3cr3t-v";
		for (const written of [value, "s3cr3t&#45;v"]) {
			const clean = redactor([value]).text(`${written}\n`.repeat((1 << 20) / value.length));
			assert.ok(!/s3cr3t/.test(clean));
		}
	});

	test("leaves other references unchanged", () => {
		const clean = redactor(["alpha-secret"]);
		for (const text of [
			"&amp;&lt;&nbsp;&unknown;&#;&#x;&#99999999;&#xffffffff;&",
			"caf&eacute; &quot;alpha&quot; &#45; secret",
			`${"&".repeat(1000)}${"&amp;".repeat(1000)}${"&#0".repeat(1000)}${"0".repeat(1000)}`,
		])
			assert.equal(clean.text(text), text);
		assert.equal(
			clean.text("&lt;b&gt;alpha&#45;secret&lt;/b&gt; caf&eacute; &#97;lpha-secre&#116;!"),
			"&lt;b&gt;[redacted]&lt;/b&gt; caf&eacute; [redacted]!",
		);
	});

	test("is fast for a large response of any content", () => {
		const clean = redactor([`${"a".repeat(40)}z`, 'sk/live+"canary"<&>', "t0k3n-välue-0123456789"]);
		for (const part of [
			"&#97;",
			"&amp;",
			"&",
			"&#",
			"&#0",
			"&amp;amp;",
			"\\u0026#97;",
			"YWFh",
			"&eacute;a",
		]) {
			const hostile = part.repeat((1 << 20) / part.length);
			const started = performance.now();
			assert.equal(clean.text(hostile).includes("[redacted]"), false, part);
			assert.ok(performance.now() - started < 5_000, `${part}: ${performance.now() - started} ms`);
		}
	});
});

const SECRET = 'sk/live+"canary"<&>\\é~ 1234567890';
const hosts = ["echo.test"];
const stored: Record<string, Stored> = {
	bearer: {
		recipe: toAuthRecipe("bearer", { type: "bearer", fields: [secret("token")], hosts }),
		fields: { token: "sk-live.canary_1234567890+/=" },
	},
	basic: {
		recipe: toAuthRecipe("basic", { type: "basic", fields: [secret("username"), secret("password")], hosts }),
		fields: { username: "canary-user", password: SECRET },
	},
	header: {
		recipe: toAuthRecipe("header", {
			type: "header",
			fields: [secret("key")],
			hosts,
			inject: { headers: { "x-key": "k {key}" } },
		}),
		fields: { key: 'canary"<&>\\~+/ 1234' },
	},
	query: {
		recipe: toAuthRecipe("query", {
			type: "query",
			fields: [secret("key")],
			hosts,
			inject: { query: { k: "{key}" } },
		}),
		fields: { key: SECRET },
	},
	path: {
		recipe: toAuthRecipe("path", {
			type: "path",
			fields: [secret("key")],
			hosts,
			inject: { prefix: "/bot{key}" },
		}),
		fields: { key: SECRET },
	},
	aws: {
		recipe: toAuthRecipe("aws", {
			type: "aws_sigv4",
			fields: [secret("id"), secret("key")],
			hosts,
			inject: { access_key_id: "{id}", secret_access_key: "{key}", region: "r", service: "s3" },
		}),
		fields: { id: "AKIACANARY1234567", key: SECRET },
	},
};

/** The values of a request that must not appear in any response. */
function listValues({ headers, url }: Seen, { fields }: Stored): string[] {
	const authorization = headers.authorization ?? "";
	const derived = [/^Basic (.+)$/.exec(authorization)?.[1], /Signature=(.+)$/.exec(authorization)?.[1]];
	return [
		...Object.values(fields),
		...derived.filter((value) => value !== undefined),
		new URL(url).searchParams.get("k") ?? "",
	].filter((value) => value !== "");
}

describe("a response that echoes the request", () => {
	for (const [name, credential] of Object.entries(stored)) {
		test(`reveals nothing of a ${name} credential, in any encoding`, async () => {
			for (const [how, write] of Object.entries(spellings)) {
				let values: string[] = [];
				await using outbound = await openOutbound((seen) => {
					values = listValues(seen, credential);
					const lines = [seen.wire, seen.headers.authorization ?? "", ...values].map((line) =>
						write(Buffer.from(line, line === seen.wire ? "latin1" : "utf8").toString("utf8")),
					);
					const header = encodeURIComponent(values.join(","));
					return { headers: { "x-echo": header }, body: lines.join("\n") };
				}, stored);
				const answer = await outbound.http({
					method: "POST",
					url: "https://echo.test/?a=1",
					credential: name,
				});
				const body = Buffer.from(answer.body).toString("utf8");
				const wrote = values.map(write);
				assert.ok(wrote.length > 0);
				for (const [index, text] of wrote.entries()) {
					assert.ok(!body.includes(text.replace(/=+$/, "")), `${how} ${index}: ${body}`);
				}
				assert.match(body, /\[redacted\]/, how);
				for (const value of values)
					assert.ok(!decodeURIComponent(answer.headers["x-echo"] ?? "").includes(value));
				assert.equal(answer.url, "https://echo.test/?a=1");
			}
		});
	}
});
