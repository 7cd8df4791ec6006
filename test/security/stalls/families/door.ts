import { type Case, type Family, makeWebhook, oneNode, type Send, type Step } from "../case.ts";
import { createFilled, list, object, text } from "../shapes.ts";

const BYTES = 1_040_000;
const FORM = "application/x-www-form-urlencoded";
const BOUNDARY = "boundary-of-the-stall-tests";
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
const HEAD = 'content-disposition: form-data; name="a"';
const FILE_HEAD = `${HEAD}; filename="a"`;

/** Bodies of about a megabyte, as text. */
const FORMS: Readonly<Record<string, () => string>> = {
	ampersands: () => "&".repeat(BYTES),
	"equals signs": () => "=".repeat(BYTES),
	"ampersands and equals signs": () => "=&".repeat(BYTES / 2),
	"plus signs": () => `a=${"+".repeat(BYTES)}`,
	"escaped letters": () => `a=${"%41".repeat(BYTES / 3)}`,
	"escaped letters of a name": () => `${"%41".repeat(BYTES / 3)}=a`,
	"escapes of other scripts": () => `a=${"%E6%BC%A2".repeat(BYTES / 9)}`,
	"broken escapes": () => `a=${"%".repeat(BYTES)}`,
	"an escape that is broken at the end": () => `a=${"%41".repeat(BYTES / 3)}%4`,
	"long names": () => createFilled(BYTES, (at) => `${"n".repeat(240)}${at}=1`, "&"),
	"1,000 names of 256 characters": () =>
		text(1_000, (at) => `${String(at).padStart(256, "n")}=${"v".repeat(700)}`, "&"),
	"escaped names of 256 characters": () =>
		text(1_000, (at) => `${"%41".repeat(252)}${String(at).padStart(4, "0")}=1`, "&"),
	"one name 1,000 times": () => text(1_000, () => `a=${"v".repeat(1_000)}`, "&"),
	"one name again and again": () => createFilled(BYTES, () => "a=1", "&"),
	"names of the language": () => createFilled(BYTES, () => "__proto__=1&constructor=2", "&"),
	"names that are numbers": () => text(1_000, (at) => `${at * 7919}=1`, "&"),
	"a JSON object with the type of a form": () => `{${createFilled(BYTES, (at) => `"k${at}":1`, ",")}}`,
	"JSON that is broken at the end": () => `{"v":[${createFilled(BYTES, () => "1", ",")}]}&a=1`,
	"blanks before a bracket": () => `${" ".repeat(BYTES)}[`,
	brackets: () => "[".repeat(BYTES),
	zeros: () => "\0".repeat(BYTES),
};

const part = (value: string, head = HEAD): string => `--${BOUNDARY}\r\n${head}\r\n\r\n${value}\r\n`;
const END = `--${BOUNDARY}--\r\n`;

const PARTS: Readonly<Record<string, () => string>> = {
	"lines that begin like the boundary": () =>
		part(createFilled(BYTES, () => `\r\n--${BOUNDARY.slice(0, -1)}`)) + END,
	"carriage returns": () => part("\r".repeat(BYTES)) + END,
	"line breaks": () => part("\r\n".repeat(BYTES / 2)) + END,
	"line breaks and dashes": () => part(createFilled(BYTES, () => "\r\n--")) + END,
	"empty parts": () => createFilled(BYTES, () => part("")) + END,
	"boundaries alone": () => createFilled(BYTES, () => `--${BOUNDARY}\r\n`) + END,
	"closing boundaries": () => createFilled(BYTES, () => END),
	"a header of a megabyte": () => part("", `${HEAD}\r\nx-long: ${"y".repeat(BYTES)}`) + END,
	"a megabyte of headers": () => part("", HEAD + createFilled(BYTES, () => "\r\nx: y")) + END,
	"headers of 8,000 bytes in each part": () =>
		text(100, () => part("", `${HEAD}\r\n${createFilled(7_900, (at) => `x-${at}: y`, "\r\n")}`)) + END,
	"a disposition of 8,000 bytes": () => part("", `${HEAD}${createFilled(7_900, (at) => `; p${at}="`)}`) + END,
	"a disposition of blanks": () => part("", `${HEAD}${" ;".repeat(3_900)}`) + END,
	"a disposition of quotation marks": () =>
		part("", `content-disposition: form-data; name="${'\\"'.repeat(3_900)}"`) + END,
	"types of quoted pairs": () =>
		part("", `${HEAD}\r\ncontent-type: text/plain; a="${"\\".repeat(7_800)}`) + END,
	"100 parts of 10,000 bytes": () => text(100, () => part("v".repeat(10_000))) + END,
	"1,000 parts with headers of 8,000 bytes": () =>
		text(1_000, () => part("", `${HEAD}\r\n${createFilled(7_900, (at) => `x-${at}: y`, "\r\n")}`)) + END,
	"a file of 9,000,000 bytes that are nearly boundaries": () =>
		part(
			createFilled(9_000_000, () => `\r\n--${BOUNDARY.slice(0, -1)}`),
			FILE_HEAD,
		) + END,
	"a file of 9,000,000 carriage returns": () => part("\r".repeat(9_000_000), FILE_HEAD) + END,
	"100 empty files": () => text(100, () => part("", FILE_HEAD)) + END,
	"1,000 files": () => text(1_000, () => part("x", FILE_HEAD)) + END,
	"no end": () => part("v".repeat(BYTES)),
	"no boundary at all": () => "v".repeat(BYTES),
};

const TEXTS: Readonly<Record<string, readonly [type: string, make: () => string]>> = {
	"text of a megabyte": ["text/plain", () => "x".repeat(BYTES)],
	"text in latin1": ["text/plain; charset=latin1", () => "x".repeat(BYTES)],
	"text in another charset": ["text/plain; charset=shift_jis", () => "x".repeat(BYTES)],
	"a type of 12,000 bytes": [`text/plain${";a=b".repeat(3_000)}`, () => "x"],
	"a type of 990 blanks": [`text/plain${" ".repeat(990)}x`, () => "x"],
	"a type of backslashes": [`text/plain; a="${"\\".repeat(980)}`, () => "x"],
};

const KEYS = { trigger: { type: "webhook", accept: ["json", "form", "files", "text"] } };
const ECHO = () => oneNode({ component: "set", values: { echo: "{{input}}" } }, KEYS);
const ROOT = () => oneNode({ component: "set", values: { asked: "{{request}}" } }, KEYS);

const make = (document: () => object): Step => ({ ...makeWebhook(document), isPreparation: true });

/** Calls as anybody, so that the trigger's keys apply. */
const call = (headers: readonly string[], body?: () => string | Uint8Array, query = ""): Send => ({
	kind: "send",
	to: "service",
	method: "POST",
	path: `/webhooks/{token}/trigger?trace=false${query}`,
	headers,
	...(body !== undefined && { body }),
});

const QUICK: readonly string[] = [
	"ampersands",
	"escaped names of 256 characters",
	"line breaks and dashes",
	"headers of 8,000 bytes in each part",
	"a file of 9,000,000 bytes that are nearly boundaries",
];

function createBodies(kind: string, type: string, bodies: Readonly<Record<string, () => string>>): Case[] {
	return Object.entries(bodies).map(([name, body]) => ({
		name: `${kind}: ${name}`,
		steps: [make(ECHO), call(["content-type", type], body)],
		...(QUICK.includes(name) && { isQuick: true as const }),
	}));
}

const texts: Case[] = Object.entries(TEXTS).map(([name, [type, body]]) => ({
	name: `text: ${name}`,
	steps: [make(ECHO), call(["content-type", type], body)],
}));

/** Node's listener reads at most 64 KiB of headers, and the request line is one of them. */
const HEAD_BYTES = 60_000;

const requests: Case[] = [
	{
		name: "request: a query of 60,000 bytes",
		steps: [
			make(ROOT),
			call([], undefined, `&${createFilled(HEAD_BYTES, (at) => `q${at}=1`, "&")}`),
			call([], undefined, `&${createFilled(HEAD_BYTES, () => "a", "&")}`),
			call([], undefined, `&a=${"%41".repeat(HEAD_BYTES / 3)}`),
		],
	},
	{
		name: "request: many headers",
		steps: [
			make(ROOT),
			call(list(900, (at) => [`x-header-${at}`, "1"]).flat()),
			call(list(1_500, () => ["x", "1"]).flat()),
			call(["x-long", "v".repeat(HEAD_BYTES)]),
			call(["cookie", list(6_000, (at) => `c${at}=1`).join("; ")]),
		],
		isQuick: true,
	},
	{
		name: "request: many headers for 1,000 accepted runs",
		steps: [
			make(ROOT),
			...list(1_000, () =>
				call(["prefer", "respond-async", ...list(300, (at) => [`x-header-${at}`, "v".repeat(20)]).flat()]),
			),
		],
	},
	{
		name: "request: read by a thousand values",
		steps: [
			make(() =>
				oneNode(
					{ component: "set", values: object(1_000, (at) => [`v${at}`, "{{request.headers | json}}"]) },
					KEYS,
				),
			),
			call(["x-long", "v".repeat(HEAD_BYTES)]),
		],
	},
	{
		name: "request: preflights and other methods",
		steps: [
			make(() => oneNode({ component: "set", values: {} }, { trigger: { type: "webhook", cors: ["*"] } })),
			...list(200, (at) => ({
				...call([
					"origin",
					`https://${"o".repeat(8_000)}.example`,
					"access-control-request-headers",
					"x".repeat(6_000),
				]),
				method: at % 2 === 0 ? "OPTIONS" : "PATCH",
			})),
		],
	},
];

const RESPONSES: Readonly<Record<string, () => object>> = {
	"a text of a megabyte": () => ({ body: "{{input.text}}" }),
	"a page of escapes": () => ({ type: "html", body: "{{input.text | html}}{{input.text | html}}" }),
	"a page that is too large": () => ({ type: "html", body: "{{input.text}}".repeat(8) }),
	"JSON of a text": () => ({ type: "json", body: { a: "{{input.text}}", b: "{{input.text}}" } }),
	"a header of a megabyte": () => ({ headers: { "x-a": "{{input.text}}" }, body: "" }),
	"1,000 headers": () => ({
		headers: object(1_000, (at) => [`x-${at}`, "{{input.text | slice(0, 400)}}"]),
		body: "",
	}),
	"a redirect of a megabyte": () => ({ redirect: "https://example.com/{{input.text}}" }),
	"a redirect of dots": () => ({ redirect: `/${"../".repeat(1_300)}` }),
	"a redirect of escapes": () => ({ redirect: "/{{input.text | slice(0, 4000)}}" }),
};

/** With a status that the workflow sets. */
const answered = (...sent: Parameters<typeof call>): Send => ({ ...call(...sent), alsoFine: [303] });

const responses: Case[] = Object.entries(RESPONSES).map(([name, params]) => ({
	name: `respond: ${name}`,
	steps: [
		make(() =>
			oneNode({ component: "respond", ...params() }, { trigger: { ...KEYS.trigger, answer: "respond" } }),
		),
		answered(["content-type", "text/plain"], () => "<".repeat(BYTES)),
		answered(["content-type", "text/plain", "idempotency-key", "one"], () => "漢".repeat(BYTES / 3)),
	],
	...(name === "1,000 headers" && { isQuick: true as const }),
}));

/** Bodies, queries and headers for a trigger that says what it takes and answers. */
export const door: Family = {
	name: "door",
	cases: [
		...createBodies("form", FORM, FORMS),
		...createBodies("multipart", MULTIPART, PARTS),
		...texts,
		...requests,
		...responses,
	],
};
