import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Failed, toFailureStatus } from "@tripline/contract/failures";
import fc from "fast-check";
import { parseMediaType } from "../../src/http/bodies/media-type.ts";
import { MultipartParser } from "../../src/http/bodies/multipart.ts";
import { readFields, readInput } from "../../src/http/bodies/read-input.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const TYPE = "multipart/form-data; boundary=XX";

const read = (body: string | Uint8Array, contentType = TYPE) =>
	readInput({ accept: ["form"], contentType, bytes: typeof body === "string" ? encode(body) : body });

const part = (name: string, value: string, more = ""): string =>
	`--XX\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

const refuse = (body: string | Uint8Array, contentType = TYPE): string => {
	try {
		read(body, contentType);
	} catch (error) {
		assert.ok(error instanceof Failed, String(error));
		return `${toFailureStatus(error.failure)} ${error.failure.message}`;
	}
	return assert.fail("it is not refused");
};

/** What the encoder of the platform makes of fields. */
async function encodeForm(pairs: readonly (readonly [string, string])[]) {
	const form = new FormData();
	for (const [name, value] of pairs) form.append(name, value);
	const response = new Response(form);
	const contentType = response.headers.get("content-type") ?? "";
	return { contentType, bytes: new Uint8Array(await response.arrayBuffer()) };
}

/** The encoder writes every line break as CRLF. */
const normalize = (text: string): string => text.replaceAll(/\r\n|\r|\n/g, "\r\n");

describe("a multipart form", () => {
	test("has text parts as fields, and a repeated name is a list", () => {
		assert.deepEqual(read(`${part("a", "1")}${part("b", "x\r\ny")}${part("a", "")}--XX--\r\n`), {
			a: ["1", ""],
			b: "x\r\ny",
		});
		assert.deepEqual(read("--XX--"), {});
		assert.deepEqual(read(`\r\n${part("a", "1")}--XX--`), { a: "1" });
	});

	test("keeps what looks like a boundary but is not", () => {
		for (const value of ["-XX", "x--XX--", "\r\n--X", "\r\n-XX", "\n--XX", "\r", "\r\n"])
			assert.deepEqual(read(`${part("a", value)}--XX--`), { a: value }, JSON.stringify(value));
	});

	test("may have any header in any case and names without quotes", () => {
		const head = "content-disposition:form-data;NAME=a\r\nX-Other: 1\r\ncontent-type: text/plain";
		assert.deepEqual(read(`--XX\r\n${head}\r\n\r\n1\r\n--XX--`), { a: "1" });
		const latin = [...encode(`--XX\r\n${head};charset=iso-8859-1\r\n\r\n`), 0xe9, ...encode("\r\n--XX--")];
		assert.deepEqual(read(Uint8Array.from(latin)), { a: "é" });
	});

	test("takes quoted boundaries of every allowed character", () => {
		const boundary = "a'()+_,-./:=? b";
		const body = part("a", "1").replace("XX", boundary);
		assert.deepEqual(read(`${body}--${boundary}--`, `multipart/form-data; boundary="${boundary}"`), {
			a: "1",
		});
	});

	test("ignores a file input that was left empty", () => {
		const empty = part("file", "", '; filename=""');
		assert.deepEqual(read(`${part("a", "1")}${empty}--XX--`), { a: "1" });
	});

	test("cannot hold files where only forms are accepted", () => {
		const message = '415 files are not accepted here: the field "file" holds a file';
		assert.equal(refuse(`${part("file", "1", "; filename*=utf-8''x.txt")}--XX--`), message);
		assert.equal(refuse(`${part("file", "", '; filename="a.txt"')}--XX--`), message);
		assert.equal(refuse(`${part("file", "x", '; filename=""')}--XX--`), message);
	});

	test("cannot reach the prototype", () => {
		const input = read(`${part("__proto__", "x")}--XX--`);
		assert.equal(JSON.stringify(input), '{"__proto__":"x"}');
	});

	const malformed: Readonly<Record<string, string>> = {
		"without the closing boundary": part("a", "1"),
		"that is cut off": part("a", "1").slice(0, -4),
		"with another boundary": `${part("a", "1")}--XX--`.replaceAll("XX", "YY"),
		"with a preamble": `hello\r\n${part("a", "1")}--XX--`,
		"with an epilogue": `${part("a", "1")}--XX--\r\nmore`,
		"with bare line feeds": `${part("a", "1")}--XX--`.replaceAll("\r\n", "\n"),
		"without a name": part("a", "1").replace('; name="a"', ""),
		"with two names": part("a", "1", '; name="b"'),
		"without a content disposition": "--XX\r\nX-A: b\r\n\r\n1\r\n--XX--",
		"without headers": "--XX\r\n\r\n1\r\n--XX--",
		"with another content disposition": `${part("a", "1")}--XX--`.replace("form-data;", "attachment;"),
		"with folded headers": `${part("a", "1", ";\r\n filename=x")}--XX--`,
		"with a nested multipart": `${part("a", "1", "\r\nContent-Type: multipart/mixed; boundary=y")}--XX--`,
		"with a transfer encoding": `${part("a", "1", "\r\nContent-Transfer-Encoding: base64")}--XX--`,
		"with a name in an unknown encoding": `${part("a", "1", "; filename*=utf-16''x")}--XX--`,
		"with a name that is wrongly encoded": `${part("a", "1", "; filename*=utf-8''%ff")}--XX--`,
		"with NUL in a header": `${part("a", "1", "\r\nX-A: \0")}--XX--`,
	};
	for (const [what, body] of Object.entries(malformed)) {
		test(`${what} is refused`, () => {
			assert.match(refuse(body), /^400 /);
		});
	}

	test("without a valid boundary is refused", () => {
		for (const type of [
			"multipart/form-data",
			'multipart/form-data; boundary=""',
			`multipart/form-data; boundary=${"x".repeat(71)}`,
			'multipart/form-data; boundary="x "',
			'multipart/form-data; boundary="x\u00e9"',
		])
			assert.match(refuse("--XX--", type), /^400 multipart\/form-data needs a boundary/, type);
	});

	test("that is not UTF-8 is refused", () => {
		const bytes = encode(`${part("a", "?")}--XX--`);
		bytes[bytes.indexOf(63)] = 0xff;
		assert.equal(refuse(bytes), '400 the field "a" is not valid UTF-8');
	});

	test("has limits: parts, headers, names", () => {
		assert.equal(Object.keys(read(`${manyParts(1_000)}--XX--`)).length, 1_000);
		assert.equal(refuse(`${manyParts(1_001)}--XX--`), "413 there are more than 1000 parts");
		assert.match(refuse(`${part("a", "1", `\r\nX-A: ${"x".repeat(8_200)}`)}--XX--`), /^413 the headers/);
		assert.match(refuse(`${part("a".repeat(257), "1")}--XX--`), /^400 the name of a field/);
	});

	const manyParts = (count: number): string =>
		Array.from({ length: count }, (_, index) => part(`f${index}`, "")).join("");

	test("made by the platform's encoder gives the same fields", async () => {
		const text = fc.oneof(
			fc.string(),
			fc.string({ unit: "grapheme" }),
			fc.constantFrom("\r\n--", '"\\', "\u2028"),
		);
		// The encoder does not escape the percent sign, so that nobody can tell these from what it escapes.
		const name = text.filter((given) => !/%(?:0A|0D|22)/.test(given));
		await fc.assert(
			fc.asyncProperty(fc.array(fc.tuple(name, text), { minLength: 1, maxLength: 20 }), async (pairs) => {
				const expected = new Map<string, string[]>();
				for (const [name, value] of pairs) {
					const key = normalize(name);
					expected.set(key, [...(expected.get(key) ?? []), normalize(value)]);
				}
				assert.deepEqual([...readFields(await encodeForm(pairs))], [...expected]);
			}),
			{ numRuns: 200 },
		);
	});

	test("that was corrupted anywhere gives fields or a refusal", async () => {
		const sent = await encodeForm([
			["name", "Ada"],
			["text", "a\r\n--b"],
			["name", ""],
		]);
		const change = fc.record({
			at: fc.nat(sent.bytes.length - 1),
			remove: fc.nat(8),
			insert: fc.oneof(
				fc.uint8Array({ maxLength: 4 }),
				fc.constantFrom("\r\n", "--", '"', ";", "\r\n\r\n").map(encode),
			),
		});
		fc.assert(
			fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
				let bytes = [...sent.bytes];
				for (const { at, remove, insert } of changes)
					bytes = [...bytes.slice(0, at), ...insert, ...bytes.slice(at + remove)];
				try {
					readFields({ ...sent, bytes: Uint8Array.from(bytes) });
				} catch (error) {
					assert.ok(error instanceof Failed, String(error));
				}
			}),
			{ numRuns: 1_000 },
		);
	});

	test("takes time linear in its size, whatever it repeats", () => {
		const alike = `${"a".repeat(69)}b`;
		const cases: readonly (readonly [boundary: string, repeated: string])[] = [
			...["\r", "\r\n", "\r\n--X", "\r\n--XY", "--XX", ";", '"', "\r\n\r\n"].map(
				(repeated) => ["XX", repeated] as const,
			),
			["a".repeat(70), "a"],
			["a".repeat(70), `\r\n--${"a".repeat(69)}`],
			[alike, `\r\n--${"a".repeat(69)}`],
			[alike, "a"],
		];
		for (const [boundary, repeated] of cases) {
			const body = `${part("a", repeated.repeat(1_000_000 / repeated.length))}--XX--`.replaceAll(
				"--XX",
				`--${boundary}`,
			);
			const started = process.threadCpuUsage();
			try {
				read(body, `multipart/form-data; boundary=${boundary}`);
			} catch (error) {
				assert.ok(error instanceof Failed, String(error));
			}
			const took = process.threadCpuUsage(started).user / 1000;
			assert.ok(took < 1_500, `${boundary} ${JSON.stringify(repeated)}: ${took} ms`);
		}
	});
});

describe("a multipart body that comes in pieces", () => {
	/** Pieces of one part are joined, because where they end says nothing. Each is gone when the next one comes. */
	function parse(pieces: readonly Uint8Array[]): string {
		const parser = new MultipartParser(parseMediaType(TYPE) ?? assert.fail());
		const seen: string[] = [];
		try {
			for (const bytes of pieces) {
				// A Buffer, as from a socket: its methods differ from those of other bytes.
				const piece = Buffer.from(bytes);
				for (const event of parser.push(piece)) {
					if (event.kind === "begin") seen.push(`${event.head.name}=`);
					else if (event.kind === "end") seen.push(";");
					else seen.push(Buffer.from(event.bytes).toString("latin1"));
				}
				piece.fill("?");
			}
			parser.end();
		} catch (error) {
			assert.ok(error instanceof Failed, String(error));
			// How much of a broken part came before it was found to be broken depends on the pieces.
			return error.message;
		}
		return seen.join("");
	}

	function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
		const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
		return [...places, bytes.length].map((place, index) => bytes.slice(places[index - 1] ?? 0, place));
	}

	/** Texts that hold beginnings of the delimiter, at every place and overlapping. */
	const tricky = fc
		.array(fc.constantFrom("\r", "\n", "\r\n", "-", "--", "X", "--X", "\r\n--X", "\r\n--Y", "a"), {
			maxLength: 12,
		})
		.map((pieces) => pieces.join(""))
		.filter((text) => !`\r\n${text}`.includes("\r\n--XX"));

	const BEGINNINGS = { valid: ["", "\r\n"], invalid: ["\r", "x"] };
	const ENDINGS = {
		valid: ["--XX--", "--XX--\r\n"],
		invalid: ["", "--XX", "--XX-", "--XX--\r", "--XX--x", "--XX--\r\n\r\n"],
	};

	test("gives the same parts wherever it is cut", () => {
		fc.assert(
			fc.property(
				fc.array(tricky, { maxLength: 4 }),
				fc.constantFrom(...ENDINGS.valid, ...ENDINGS.invalid),
				fc.constantFrom(...BEGINNINGS.valid, ...BEGINNINGS.invalid),
				fc.array(fc.nat(), { maxLength: 12 }),
				(values, ending, beginning, cuts) => {
					const body = encode(`${beginning}${values.map((value) => part("a", value)).join("")}${ending}`);
					const whole = parse([body]);
					if (ENDINGS.valid.includes(ending) && BEGINNINGS.valid.includes(beginning))
						assert.equal(whole, values.map((value) => `a=${value};`).join(""));
					assert.equal(parse(split(body, cuts)), whole);
					assert.equal(parse([...body].map((byte) => Uint8Array.of(byte))), whole);
				},
			),
			{ numRuns: 500 },
		);
	});

	test("is given on as it comes, but for what may be a delimiter", () => {
		const parser = new MultipartParser(parseMediaType(TYPE) ?? assert.fail());
		const lengths = (text: string) =>
			parser.push(encode(text)).flatMap((event) => (event.kind === "bytes" ? [event.bytes.length] : []));
		assert.deepEqual(lengths(part("a", "").slice(0, -2)), []);
		assert.deepEqual(lengths("x".repeat(1_000)), [1_000]);
		assert.deepEqual(lengths(`${"x".repeat(1_000)}\r\n--X`), [1_000]);
		assert.deepEqual(lengths("Yz"), [5, 2]);
	});
});
