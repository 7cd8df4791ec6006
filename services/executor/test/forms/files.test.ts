import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { createFormApp } from "./form-app.ts";

const file = { type: "object", format: "file" };
const schema: JsonObject = {
	type: "object",
	required: ["name", "report"],
	properties: {
		name: { type: "string" },
		report: { ...file, title: "Your report", contentMediaType: ".pdf,image/*" },
		more: { type: "array", items: file },
		person: { type: "object", properties: { photo: file } },
	},
};

const createApp = (more: object = {}) =>
	createFormApp({ clock: { now: () => 1_000_000 }, forms: { send: { schema, ...more } } });

type App = ReturnType<typeof createApp>;

const PNG = "\x89PNG\r\n\x1a\n...";
const toBlob = (text: string, type: string) => new Blob([Buffer.from(text, "latin1")], { type });

function fill(
	values: Readonly<Record<string, string | readonly [name: string, type: string, text: string]>>,
) {
	const form = new FormData();
	for (const [name, value] of Object.entries(values)) {
		if (typeof value === "string") form.append(name, value);
		else form.append(name.replace(/\d$/, ""), toBlob(value[2], value[1]), value[0]);
	}
	return form;
}

/** As bytes: Node's stream of a form fails when it is cancelled. */
async function post(app: App, form: FormData | URLSearchParams, language = "en"): Promise<Response> {
	const encoded = new Response(form);
	return app.fetch(
		new Request("http://forms.test/f/default/send", {
			method: "POST",
			body: await encoded.arrayBuffer(),
			headers: {
				"accept-language": language,
				"content-type": encoded.headers.get("content-type") ?? assert.fail(),
			},
		}),
	);
}

const getPage = async (app: App, language = "en") => {
	const headers = { "accept-language": language };
	return (await app.fetch(new Request("http://forms.test/f/default/send", { headers }))).text();
};

const report = ["a.png", "image/png", PNG] as const;

describe("a form with files", () => {
	test("is sent as multipart, with the types and the size that it takes", async () => {
		const page = await getPage(createApp());
		assert.match(page, /<form method="post" accept-charset="utf-8" enctype="multipart\/form-data">/);
		assert.match(page, /<input type="file" id="f2" name="report" required[^>]* accept="\.pdf,image\/\*">/);
		assert.match(page, /<input type="file" id="f3" name="more" aria-describedby="f3-help" multiple>/);
		assert.match(page, /At most 1 MB/);
		assert.match(await getPage(createApp(), "zh-TW"), /可選擇多個檔案，總計不超過 1 MB/);
	});

	test("without a file field is sent as text", async () => {
		assert.doesNotMatch(await getPage(createApp({ schema: { type: "object" } })), /enctype/);
	});

	test("gives files as file values, lists of them and inside groups", async () => {
		const app = createApp();
		const body = fill({
			name: "Ada",
			report,
			more1: ["1.txt", "text/plain", "one"],
			more2: ["2.txt", "text/plain", ""],
			"person.photo": ["me.svg", "image/svg+xml", "<svg onload=alert(1)>"],
		});
		assert.equal((await post(app, body)).status, 200);
		const all = [...app.files.all.values()];
		const toValue = (at: number) => {
			const { text: _, executionId, ...value } = all[at] ?? assert.fail();
			assert.equal(executionId, "run-1");
			return value;
		};
		assert.deepEqual(app.inputs, [
			{ name: "Ada", report: toValue(0), more: [toValue(1), toValue(2)], person: { photo: toValue(3) } },
		]);
		assert.equal(all[0]?.text, PNG);
	});

	test("may leave out files that are not required", async () => {
		const app = createApp();
		const empty = ["", "application/octet-stream", ""] as const;
		assert.equal((await post(app, fill({ name: "Ada", report, more: empty }))).status, 200);
		assert.deepEqual(Object.keys(app.inputs[0] ?? {}), ["name", "report"]);
	});

	const refusals: readonly (readonly [string, Parameters<typeof fill>[0], RegExp, RegExp])[] = [
		["no file", { name: "Ada" }, /Choose a file\./, /請選擇檔案。/],
		["a text for a file", { name: "Ada", report: '{"$file":"x"}' }, /Choose a file\./, /請選擇檔案。/],
		[
			"a file of another type",
			{ name: "Ada", report: ["a.txt", "text/plain", "x"] },
			/Choose a file of the type \.pdf or image\/\*\./,
			/請選擇此類型的檔案：\.pdf、image\/\*。/,
		],
		[
			"a file that is not what its type says",
			{ name: "Ada", report: ["a.png", "image/png", "<script>"] },
			/The content of the file is not image\/png\./,
			/檔案內容不是 image\/png。/,
		],
		[
			"two files for one",
			{ name: "Ada", report1: report, report2: report },
			/Choose one file only\./,
			/請只選擇一個檔案。/,
		],
	];
	for (const [what, values, english, chinese] of refusals) {
		test(`with ${what} is refused, and nothing is kept`, async () => {
			const app = createApp();
			const response = await post(app, fill(values));
			assert.equal(response.status, 422);
			assert.match(await response.text(), english);
			assert.match(await (await post(app, fill(values), "zh")).text(), chinese);
			assert.equal(app.files.all.size, 0);
			assert.deepEqual(app.inputs, []);
		});
	}

	test("that is refused says that files must be chosen again", async () => {
		const app = createApp();
		const response = await post(app, fill({ report }));
		assert.equal(response.status, 422);
		assert.match(await response.text(), /Choose the files again: they have not been kept\./);
		assert.match(await (await post(app, fill({ report }), "zh")).text(), /請重新選擇檔案/);
		assert.doesNotMatch(await (await post(app, fill({ name: "" }))).text(), /Choose the files again/);
		assert.equal(app.files.all.size, 0);
	});

	test("keeps no file of a field that it does not have", async () => {
		const app = createApp();
		const body = fill({ name: "Ada", report, other: ["x.txt", "text/plain", "x"], name2: ["n", "a/b", "x"] });
		assert.equal((await post(app, body)).status, 200);
		assert.equal(app.files.all.size, 1);
	});

	test("that is too large is refused with a page, and nothing is kept", async () => {
		const app = createApp({ maxFilesBytes: 1000 });
		const large = ["a.png", "image/png", PNG + "x".repeat(1000)] as const;
		const response = await post(app, fill({ name: "Ada", more: ["a", "a/b", "x"], report: large }));
		assert.equal(response.status, 413);
		assert.match(await response.text(), /choose smaller files/);
		assert.equal(app.files.all.size, 0);
	});

	test("that a program filled in runs nothing and keeps nothing", async () => {
		const app = createApp();
		assert.equal((await post(app, fill({ name: "Ada", report, more_about_you: "x" }))).status, 200);
		assert.deepEqual([app.inputs.length, app.files.all.size], [0, 0]);
	});

	test("sent as text has no files", async () => {
		const app = createApp();
		assert.equal((await post(app, new URLSearchParams({ name: "Ada", report: "x" }))).status, 422);
	});
});
