import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import type { Form } from "@tripline/contract/webhook-trigger";
import type { JsonObject } from "@tripline/contract/workflows";
import { type Element, joinText, parseElements, toSkeleton } from "../../../mcp/test/pages/markup.ts";
import { renderDone, renderFailedRun, renderFailure } from "../../src/forms/answers.ts";
import { chooseLanguage } from "../../src/forms/languages.ts";
import type { FormField } from "../../src/forms/model.ts";
import { parseForm } from "../../src/forms/parse.ts";
import { renderForm } from "../../src/forms/render.ts";
import { STYLE } from "../../src/forms/style.ts";

const KINDS: JsonObject = {
	full_name: { type: "string", title: "Your name", description: "As on the letter", maxLength: 80 },
	email: { type: "string", format: "email" },
	site: { type: "string", format: "uri" },
	phone: { type: "string" },
	message: { type: "string", maxLength: 2_000 },
	guests: { type: "integer", minimum: 1, maximum: 9, default: 2 },
	price: { type: "number", multipleOf: 0.5 },
	day: { type: "string", format: "date" },
	hour: { type: "string", format: "time" },
	start: { type: "string", format: "date-time", default: "2026-01-31T09:30:00+08:00" },
	size: { enum: ["S", "M", "L"], default: "M" },
	meal: { enum: ["meat", "fish"] },
	city: { enum: ["a", "b", "c", "d", "e", "f"] },
	days: { type: "array", items: { enum: ["Mon", "Tue"] }, default: ["Tue"] },
	tags: { type: "array", items: { type: "string" }, default: ["x", "y"] },
	news: { type: "boolean", default: true },
	terms: { type: "boolean", const: true },
	secret: { const: "not shown" },
	home: { type: "object", title: "Home", properties: { street: {}, zip: {} }, required: ["street"] },
};
const SCHEMA = {
	type: "object",
	properties: KINDS,
	required: ["full_name", "meal", "city", "terms", "message"],
};

interface Wanted {
	readonly schema?: JsonObject;
	readonly form?: Form;
	readonly language?: "en" | "zh-Hant";
	readonly filled?: Readonly<Record<string, string[]>>;
	readonly problems?: Readonly<Record<string, string>>;
}

function render({
	schema = SCHEMA,
	form = {},
	language = "en",
	filled,
	problems = {},
}: Wanted = {}): Response {
	const model = parseForm(schema);
	assert.ok("items" in model, JSON.stringify(model));
	const fields = model.items.flatMap((item) => (item.kind === "group" ? item.items : [item]));
	const find = (name: string) => fields.find((item) => "name" in item && item.name === name) as FormField;
	const rejected = filled && {
		filled: new Map(Object.entries(filled)),
		problems: Object.entries(problems).map(([name, message]) => ({ field: find(name), message })),
	};
	const maxFilesBytes = 10 * 1024 * 1024;
	return renderForm({
		model,
		form,
		workflow: "contact",
		language,
		maxFilesBytes,
		...(rejected && { rejected }),
	});
}

const parse = async (response: Response): Promise<Element[]> => parseElements(await response.text());

/** The attributes of the control with this name, or of all of them. */
const listControls = (elements: readonly Element[], name: string) =>
	elements.filter((each) => each.attributes.get("name") === name && each.tag !== "meta");

function getControl(elements: readonly Element[], name: string): Record<string, string> {
	const [control] = listControls(elements, name);
	assert.ok(control, name);
	return { tag: control.tag, ...Object.fromEntries(control.attributes) };
}

describe("the page of a form", () => {
	test("has a control for each kind of field", async () => {
		const elements = await parse(render());
		const get = (name: string) => {
			const { id: _, name: __, ...rest } = getControl(elements, name);
			return rest;
		};
		const { "aria-describedby": _, ...fullName } = get("full_name");
		assert.deepEqual(fullName, {
			tag: "input",
			type: "text",
			required: "",
			maxlength: "80",
			autocomplete: "name",
			value: "",
		});
		assert.deepEqual(get("email"), { tag: "input", type: "email", autocomplete: "email", value: "" });
		assert.deepEqual(get("site"), { tag: "input", type: "url", value: "" });
		assert.deepEqual(get("phone"), { tag: "input", type: "tel", autocomplete: "tel", value: "" });
		assert.deepEqual(get("message"), { tag: "textarea", rows: "5", required: "", maxlength: "2000" });
		const number = { tag: "input", type: "number" };
		assert.deepEqual(get("guests"), {
			...number,
			inputmode: "numeric",
			min: "1",
			max: "9",
			step: "1",
			value: "2",
		});
		assert.deepEqual(get("price"), { ...number, inputmode: "decimal", step: "0.5", value: "" });
		assert.deepEqual(get("day"), { tag: "input", type: "date", value: "" });
		assert.deepEqual(get("hour"), { tag: "input", type: "time", value: "" });
		assert.equal(get("start").type, "datetime-local");
		assert.equal(get("start").value, "2026-01-31T01:30");
		assert.equal(get("city").tag, "select");
		assert.deepEqual(get("news"), { tag: "input", type: "checkbox", value: "true", checked: "" });
		assert.deepEqual(get("terms"), { tag: "input", type: "checkbox", value: "true", required: "" });
		assert.equal(listControls(elements, "secret").length, 0);
		assert.equal(get("home.street").tag, "input");
	});

	test("shows a few choices as radio buttons, several as boxes", async () => {
		const elements = await parse(render());
		const describeOptions = (name: string) =>
			listControls(elements, name).map(({ attributes }) =>
				[
					attributes.get("type"),
					attributes.get("value"),
					attributes.has("checked"),
					attributes.has("required"),
				].join(),
			);
		assert.deepEqual(describeOptions("size"), [
			"radio,S,false,false",
			"radio,M,true,false",
			"radio,L,false,false",
			"radio,,false,false",
		]);
		assert.deepEqual(describeOptions("meal"), ["radio,meat,false,true", "radio,fish,false,true"]);
		assert.deepEqual(describeOptions("days"), ["checkbox,Mon,false,false", "checkbox,Tue,true,false"]);
		const text = elements.find(({ attributes }) => attributes.get("name") === "tags")?.text;
		assert.equal(text, "\nx\ny");
	});

	test("names every control, and every reference in the page exists", async () => {
		const problems = { full_name: "Wrong.", meal: "Wrong.", days: "Wrong.", "home.zip": "Wrong." };
		for (const response of [render(), render({ filled: {}, problems })]) {
			const elements = await parse(response);
			const ids = elements.flatMap(({ attributes }) => attributes.get("id") ?? []);
			assert.equal(new Set(ids).size, ids.length);
			const labelled = new Set(elements.flatMap(({ attributes }) => attributes.get("for") ?? []));
			for (const { tag, attributes } of elements) {
				if (["input", "select", "textarea"].includes(tag))
					assert.ok(labelled.has(attributes.get("id") ?? ""));
				for (const id of attributes.get("aria-describedby")?.split(" ") ?? [])
					assert.ok(ids.includes(id), id);
				const href = attributes.get("href") ?? "";
				if (href.startsWith("#")) assert.ok(ids.includes(href.slice(1)), href);
			}
		}
	});

	test("does not require fields of a group that may be left out", async () => {
		assert.ok(!("required" in getControl(await parse(render()), "home.street")));
		const elements = await parse(render({ schema: { ...SCHEMA, required: ["home"] } }));
		assert.ok("required" in getControl(elements, "home.street"));
	});

	test("has the texts of the trigger, else the workflow's name", async () => {
		const form = { title: "Write to us", description: "We answer\nsoon", submit: "Send" };
		const text = joinText(await parse(render({ form })));
		for (const said of [form.title, "We answer soon", form.submit]) assert.ok(text.includes(said), said);
		const plain = await parse(render());
		assert.equal(plain.find(({ tag }) => tag === "h1")?.text, "contact");
		assert.equal(plain.find(({ tag }) => tag === "button")?.text, "Submit");
	});

	test("keeps what was typed and shows messages beside the fields", async () => {
		const filled = {
			full_name: ["Ada"],
			message: ["\nsecond line"],
			guests: ["many"],
			meal: ["fish"],
			city: ["c"],
			days: ["Mon"],
		};
		const response = render({ filled, problems: { guests: "Enter a whole number." } });
		assert.equal(response.status, 422);
		const elements = await parse(response);
		assert.equal(getControl(elements, "full_name").value, "Ada");
		assert.equal(
			elements.find(({ attributes }) => attributes.get("name") === "message")?.text,
			"\n\nsecond line",
		);
		const { id = "", value, ...guests } = getControl(elements, "guests");
		assert.equal(value, "many");
		assert.equal(guests["aria-invalid"], "true");
		assert.equal(guests["aria-describedby"], `${id}-problem`);
		const isMarked = (name: string, chosen: string, mark: string) =>
			elements
				.find(({ attributes }) =>
					name === ""
						? attributes.get("value") === chosen
						: attributes.get("name") === name && attributes.get("value") === chosen,
				)
				?.attributes.has(mark);
		assert.equal(isMarked("meal", "fish", "checked"), true);
		assert.equal(isMarked("", "c", "selected"), true);
		assert.equal(isMarked("days", "Mon", "checked"), true);
		assert.equal(isMarked("days", "Tue", "checked"), false);
		assert.ok(!("checked" in getControl(elements, "news")));
		const summary = elements.find(({ attributes }) => attributes.get("role") === "alert");
		assert.ok(summary?.attributes.has("autofocus"));
		assert.equal(elements.find(({ tag }) => tag === "title")?.text, "Error: contact");
	});

	test("is in Traditional Chinese", async () => {
		const response = render({ language: "zh-Hant", filled: {}, problems: { email: "不對。" } });
		const elements = await parse(response);
		assert.equal(elements[0]?.attributes.get("lang"), "zh-Hant");
		const text = joinText(elements);
		for (const said of ["送出", "（選填）", "錯誤：", "有一個欄位需要修正", "請選擇"])
			assert.ok(text.includes(said), said);
		assert.doesNotMatch(text, /optional|Submit|Choose|problem/);
	});

	test("has a field that people do not see or reach", async () => {
		const elements = await parse(render());
		const trap = getControl(elements, "more_about_you");
		assert.equal(trap.tabindex, "-1");
		assert.equal(trap.autocomplete, "off");
	});

	test("lets the form lead only where it says", async () => {
		const readAction = (done?: string) =>
			/form-action ([^;]*);/.exec(
				render({ form: done === undefined ? {} : { done } }).headers.get("content-security-policy") ?? "",
			)?.[1];
		assert.equal(readAction("Thank you"), "'self'");
		assert.equal(readAction("http://example.com/"), "'self'");
		assert.equal(readAction("https://example.com/thanks?a=1"), "'self' https://example.com");
		assert.equal(readAction("https://example.com;script-src *"), "'self'");
		assert.equal(readAction(), "'self' https:");
	});
});

describe("markup in any text of a form", () => {
	const build = (text: string) => {
		const name = text;
		const texts = { title: text, description: text };
		const schema = {
			type: "object",
			properties: {
				[`a${name}`]: { ...texts, type: "string", default: text, examples: [text] },
				[`b${name}`]: { ...texts, enum: [`1${name}`, `2${name}`] },
				[`c${name}`]: {
					...texts,
					oneOf: [1, 2, 3, 4, 5, 6].map((value) => ({ const: `${value}${name}`, title: text })),
				},
				[`d${name}`]: { ...texts, items: { enum: [`1${name}`] } },
				[`e${name}`]: { ...texts, items: {}, default: [text] },
				[`f${name}`]: { ...texts, type: "boolean" },
				[`g${name}`]: {
					...texts,
					type: "object",
					properties: { [name]: { ...texts, format: "textarea", default: text } },
				},
				[`h${name}`]: { ...texts, type: "number", minimum: 1 },
			},
		};
		const names = ["a", "b", "c", "d", "e", "f", "h"]
			.map((letter) => letter + name)
			.concat(`g${name}.${name}`);
		const form = { title: text, description: text, submit: text, done: text };
		return [
			render({ schema, form }),
			render({
				schema,
				form,
				filled: Object.fromEntries(names.map((each) => [each, [text]])),
				problems: Object.fromEntries(names.map((each) => [each, text])),
			}),
			renderDone({ form, language: "en" }),
			renderFailedRun(text, "en"),
		];
	};
	for (const hostile of [
		"<script>alert(1)</script>",
		'"><img src=x onerror=alert(1)>',
		"' autofocus onfocus='alert(1)",
		"</textarea><script>",
		"</title></style><script>",
		"&lt;b&gt; &#x3c;b&#x3e; <!-- -->",
		"{{7*7}}",
		"javascript:alert(1)",
		"a\u202eb\u0000c",
	]) {
		test(`is inert: ${JSON.stringify(hostile)}`, async () => {
			const plain = await Promise.all(build("plain").map(parse));
			const pages = await Promise.all(build(hostile).map(parse));
			assert.deepEqual(pages.map(toSkeleton), plain.map(toSkeleton));
			for (const { tag, attributes } of pages.flat()) {
				assert.ok(!["script", "img", "iframe"].includes(tag));
				assert.match(attributes.get("href") ?? "", /^(?:data:image\/svg|#f\d+$|$)/);
			}
		});
	}
});

describe("every page", () => {
	const pages = {
		form: () => render({ form: { done: "x" } }),
		done: () => renderDone({ form: {}, language: "en" }),
		failed: () => renderFailedRun("id-1", "en"),
		refused: () => renderFailure({ kind: "not_found", message: "m" }, "zh-Hant"),
	};
	for (const [name, build] of Object.entries(pages)) {
		test(`allows only its own style: ${name}`, async () => {
			const response = build();
			const { headers } = response;
			const text = await response.text();
			const [style = ""] = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, each]) => each);
			const hash = createHash("sha256").update(style).digest("base64");
			const action = name === "form" ? "'self'" : "'none'";
			assert.deepEqual(Object.fromEntries(headers), {
				"content-type": "text/html; charset=utf-8",
				"content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; form-action ${action}; base-uri 'none'; frame-ancestors 'none'`,
				"referrer-policy": "same-origin",
				"cache-control": "no-store",
				vary: "accept-language",
				"x-content-type-options": "nosniff",
				"x-frame-options": "DENY",
			});
			assert.ok(text.includes('<meta name="robots" content="noindex">'));
			assert.doesNotMatch(STYLE, /url\(|@import|[<&]/);
			const elements = parseElements(text);
			const count = (tag: string): number => elements.filter((element) => element.tag === tag).length;
			assert.deepEqual(["title", "main", "h1", "script"].map(count), [1, 1, 1, 0]);
		});
	}

	test("after a run names it but not its error", async () => {
		const response = renderFailedRun("id-1", "en");
		assert.equal(response.status, 500);
		assert.match(joinText(await parse(response)), /Something went wrong .*id-1/);
	});

	test("says what to do, with the status and headers of the failure", async () => {
		const tooMany = renderFailure({ kind: "too_many", message: "m", retryAfterSeconds: 7 }, "en");
		assert.equal(tooMany.status, 429);
		assert.equal(tooMany.headers.get("retry-after"), "7");
		assert.match(joinText(await parse(tooMany)), /wait a moment/);
		const tooLarge = renderFailure({ kind: "too_large", message: "m" }, "zh-Hant");
		assert.equal(tooLarge.status, 413);
		assert.match(joinText(await parse(tooLarge)), /過大/);
		const unauthorized = renderFailure({ kind: "unauthorized", message: "m" }, "en");
		assert.match(unauthorized.headers.get("www-authenticate") ?? "", /^Basic realm=/);
	});
});

describe("after submitting", () => {
	test("the text of the form is shown, with its line breaks", async () => {
		const response = renderDone({ form: { title: "T", done: "Thanks\n<b>Ada</b>" }, language: "en" });
		assert.equal(response.status, 200);
		assert.ok((await response.text()).includes("Thanks\n&lt;b&gt;Ada&lt;/b&gt;"));
	});

	test("an https address is a redirect", () => {
		const response = renderDone({ form: { done: "https://example.com/a b" }, language: "en" });
		assert.equal(response.status, 200);
		const redirect = renderDone({ form: { done: " https://example.com/ä" }, language: "en" });
		assert.equal(redirect.status, 303);
		assert.equal(redirect.headers.get("location"), "https://example.com/%C3%A4");
	});
});

test("the language is the one that the reader prefers", () => {
	const cases: readonly (readonly [string | null, string])[] = [
		[null, "en"],
		["zh-TW,zh;q=0.9,en;q=0.8", "zh-Hant"],
		["zh-CN", "zh-Hant"],
		["en-US,zh;q=0.9", "en"],
		["de, en;q=0.5, zh;q=0.7", "zh-Hant"],
		["fr", "en"],
		["zh;q=0", "en"],
		["zh-TW;q=abc", "zh-Hant"],
		[",;,", "en"],
	];
	for (const [header, language] of cases) assert.equal(chooseLanguage(header), language, String(header));
});
