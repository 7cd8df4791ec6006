import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Failed } from "@tripline/contract/failures";
import type { JsonObject } from "@tripline/contract/workflows";
import { createFormApp } from "./form-app.ts";

const clock = { now: () => 1_000_000 };
const URL_BASE = "http://forms.test/f/default";
const schema: JsonObject = {
	type: "object",
	properties: { name: { type: "string" }, age: { type: "integer", minimum: 18 } },
	required: ["name"],
};

type Options = Partial<Parameters<typeof createFormApp>[0]>;
const createApp = (options: Options = {}) =>
	createFormApp({ clock, forms: { contact: { schema } }, ...options });

const post = (
	app: ReturnType<typeof createApp>,
	body: string | FormData,
	headers: Record<string, string> = {},
	name = "contact",
) =>
	app.fetch(
		new Request(`${URL_BASE}/${name}`, {
			method: "POST",
			body: typeof body === "string" ? new URLSearchParams(body) : body,
			headers,
		}),
	);

describe("the page /f/{namespace}/{name}", () => {
	test("is the form, in the language of the reader", async () => {
		const app = createApp();
		const english = await app.fetch(new Request(`${URL_BASE}/contact`));
		assert.equal(english.status, 200);
		assert.match(await english.text(), /<html lang="en">.*name="age"/s);
		const headers = { "accept-language": "zh-TW,zh;q=0.9" };
		const chinese = await app.fetch(new Request(`${URL_BASE}/contact`, { headers }));
		assert.match(await chinese.text(), /<html lang="zh-Hant">/);
	});

	test("is a page with 404 for a workflow that is missing, no form, or cannot be drawn", async () => {
		const forms = { undrawable: { schema: { type: "object", properties: { a: { type: "null" } } } } };
		const app = createApp({ forms });
		for (const path of ["default/missing", "other/contact", "default/undrawable"]) {
			const response = await app.fetch(new Request(`http://forms.test/f/${path}`));
			assert.equal(response.status, 404);
			assert.match(await response.text(), /Form not found/);
		}
	});

	test("asks for a password if the trigger has auth", async () => {
		const authorize = () => {
			throw new Failed({ kind: "unauthorized", message: "m", challenge: 'Basic realm="x"' });
		};
		const app = createApp({ authorize });
		const response = await app.fetch(new Request(`${URL_BASE}/contact`));
		assert.equal(response.status, 401);
		assert.equal(response.headers.get("www-authenticate"), 'Basic realm="x"');
		assert.equal((await post(app, "name=Ada")).status, 401);
		assert.deepEqual(app.inputs, []);
	});
});

describe("a submitted form", () => {
	test("runs the workflow with the input, from both content types", async () => {
		const app = createApp();
		const response = await post(app, "name=Ada&age=36");
		assert.equal(response.status, 200);
		assert.match(await response.text(), /Thank you/);
		const form = new FormData();
		form.append("name", "Grace");
		assert.equal((await post(app, form)).status, 200);
		assert.deepEqual(app.inputs, [{ name: "Ada", age: 36 }, { name: "Grace" }]);
	});

	test("that is not valid comes back with what was typed, and nothing runs", async () => {
		const app = createApp();
		const response = await post(app, "name=&age=7");
		assert.equal(response.status, 422);
		const text = await response.text();
		assert.match(text, /Fill in this field\..*Must be at least 18\..*value="7"/s);
		assert.deepEqual(app.inputs, []);
	});

	test("of a program seems to work, but nothing runs", async () => {
		const app = createApp({ forms: { contact: { schema, form: { done: "Thanks" } } } });
		const trapped = await post(app, "name=x&age=1&more_about_you=spam");
		const honest = await post(app, "name=Ada");
		assert.equal(trapped.status, honest.status);
		assert.equal(await trapped.text(), await honest.text());
		assert.deepEqual(app.inputs, [{ name: "Ada" }]);
	});

	test("leads to the address of the form", async () => {
		const app = createApp({ forms: { contact: { schema, form: { done: "https://example.com/thanks" } } } });
		const response = await post(app, "name=Ada");
		assert.equal(response.status, 303);
		assert.equal(response.headers.get("location"), "https://example.com/thanks");
	});

	test("shows what respond gives, unless the form says what to show", async () => {
		const run = () => ({ reply: { status: 201, text: "from respond" } });
		const response = await post(createApp({ run }), "name=Ada");
		assert.equal(response.status, 201);
		assert.equal(await response.text(), "from respond");
		const forms = { contact: { schema, form: { done: "from done" } } };
		assert.match(await (await post(createApp({ run, forms }), "name=Ada")).text(), /from done/);
	});

	test("whose run fails gets a page with the id of the run", async () => {
		const run = () => ({ status: "failed" as const, reply: { status: 200, text: "secret detail" } });
		const response = await post(createApp({ run }), "name=Ada");
		assert.equal(response.status, 500);
		const text = await response.text();
		assert.match(text, /Something went wrong.*run-1/s);
		assert.doesNotMatch(text, /secret detail/);
	});

	test("whose run waits is told that it was received, not what the form says when it is done", async () => {
		const run = () => ({ status: "continues" as const });
		for (const done of ["All done", "https://example.com/thanks"]) {
			const forms = { contact: { schema, form: { done } } };
			const response = await post(createApp({ run, forms }), "name=Ada");
			assert.equal(response.status, 202);
			const text = await response.text();
			assert.match(text, /<h1>Received<\/h1>.*processed later.*run-1/s);
			assert.doesNotMatch(text, /All done/);
		}
	});

	test("is refused after 30 in a minute", async () => {
		const app = createApp();
		for (let count = 0; count < 30; count++) assert.equal((await post(app, "name=Ada")).status, 200);
		const response = await post(app, "name=Ada");
		assert.equal(response.status, 429);
		assert.ok(Number(response.headers.get("retry-after")) > 0);
		assert.match(await response.text(), /Too many submissions/);
		assert.equal((await app.fetch(new Request(`${URL_BASE}/contact`))).status, 200);
	});

	test("is refused if it is too large, malformed or something else", async () => {
		const forms = { contact: { schema }, small: { schema, maxBytes: 10 } };
		const app = createApp({ forms });
		assert.equal((await post(app, `name=${"x".repeat(70_000)}`)).status, 413);
		assert.equal((await post(app, "name=long enough", {}, "small")).status, 413);
		const json = { "content-type": "application/json" };
		assert.equal((await post(app, "{}", json)).status, 415);
		const multipart = { "content-type": "multipart/form-data; boundary=x" };
		assert.equal((await post(app, "a=1", multipart)).status, 400);
		assert.deepEqual(app.inputs, []);
	});
});

describe("a post by a page", () => {
	const senders: readonly (readonly [Record<string, string>, number])[] = [
		[{}, 200],
		[{ "sec-fetch-site": "same-origin", origin: "http://forms.test" }, 200],
		[{ origin: "http://forms.test" }, 200],
		[{ "sec-fetch-site": "cross-site", origin: "https://evil.test" }, 403],
		[{ "sec-fetch-site": "same-site" }, 403],
		[{ origin: "https://evil.test" }, 403],
		[{ origin: "null" }, 403],
	];
	for (const [headers, status] of senders) {
		test(`answers ${status} to ${JSON.stringify(headers)}`, async () => {
			const app = createApp({ forms: { contact: { schema } } });
			assert.equal((await post(app, "name=Ada", headers)).status, status);
			assert.equal(app.inputs.length, status === 200 ? 1 : 0);
		});
	}
});
