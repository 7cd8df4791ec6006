import assert from "node:assert/strict";
import type { Scenario, World } from "../../scenario.ts";
import { FORM, webhook } from "./public-calls.ts";
import { echo, save, waitForRecords } from "./saving.ts";
import { buildParts, listFiles } from "./uploads.ts";

const FORM_SCHEMA = {
	type: "object",
	required: ["email", "guests"],
	properties: {
		email: { type: "string", format: "email", title: "E-mail" },
		guests: { type: "integer", minimum: 1, title: "Guests" },
		note: { type: "string", title: "Note" },
	},
};

const form = (name: string, keys: object = {}, more: object = {}) =>
	echo(name, {
		...webhook({ form: { title: "Visit <us>", ...keys } }),
		options: { input_schema: FORM_SCHEMA },
		...more,
	});

const getFormPath = ({ owner }: World, name: string) => `/f/${owner}/${name}`;

const APPLICATION = {
	type: "object",
	required: ["name", "cv"],
	properties: {
		name: { type: "string" },
		cv: { type: "object", format: "file", contentMediaType: ".pdf", title: "Your CV" },
	},
};

export const forms: readonly Scenario[] = [
	{
		name: "a form takes files, and keeps none of what it refuses",
		cites: [],
		async run(world) {
			await save(world, form("apply", { done: "Got it" }, { options: { input_schema: APPLICATION } }));
			const path = getFormPath(world, "apply");
			const page = String((await world.anyone.call("GET", path)).body);
			assert.match(page, /enctype="multipart\/form-data"/);
			assert.match(page, /<input type="file"[^>]* name="cv" required[^>]* accept="\.pdf">/);
			assert.match(page, /At most 10 MB/);
			const cv = { name: "cv", filename: "cv.pdf", type: "application/pdf", bytes: "%PDF-1.7" };
			const name = { name: "name", bytes: "Ada" };
			for (const [parts, message] of [
				[[cv], /Choose the files again/],
				[[name], /Choose a file\./],
				[[name, { ...cv, filename: "cv.html", type: "text/html" }], /Choose a file of the type \.pdf/],
				[[name, { ...cv, bytes: "<html>" }], /The content of the file is not/],
			] as const) {
				const refused = await world.anyone.call("POST", path, buildParts(...parts));
				assert.equal(refused.status, 422);
				assert.match(String(refused.body), message);
			}
			assert.deepEqual(await listFiles(world), []);
			const done = await world.anyone.call("POST", path, buildParts(name, cv));
			assert.equal(done.status, 200, String(done.body));
			assert.match(String(done.body), /Got it/);
			const [kept, ...others] = await listFiles(world);
			assert.deepEqual([kept?.name, kept?.size, others.length], ["cv.pdf", 8, 0]);
			await waitForRecords(world, "apply", 1);
		},
	},
	{
		name: "a form is a page without scripts, and what is sent runs the workflow",
		cites: [],
		async run(world) {
			await save(world, form("visit", { done: "See you soon" }));
			const page = await world.anyone.call("GET", getFormPath(world, "visit"));
			assert.equal(page.status, 200);
			assert.match(String(page.body), /<h1>Visit &lt;us&gt;<\/h1>/);
			assert.doesNotMatch(String(page.body), /<script/);
			assert.match(
				page.headers.get("content-security-policy") ?? "",
				/default-src 'none'.*frame-ancestors 'none'/,
			);
			const sent = { raw: "email=ada%40example.com&guests=2&note=", headers: FORM };
			const done = await world.anyone.call("POST", getFormPath(world, "visit"), sent);
			assert.equal(done.status, 200);
			assert.match(String(done.body), /See you soon/);
			await waitForRecords(world, "visit", 1);
			const chinese = { "accept-language": "zh-TW,zh;q=0.9" };
			const other = await world.anyone.call("GET", getFormPath(world, "visit"), { headers: chinese });
			assert.match(String(other.body), /<html lang="zh-Hant/);
		},
	},
	{
		name: "a form with mistakes comes back with what was typed and a message beside the field",
		cites: [],
		async run(world) {
			await save(world, form("visit"));
			const sent = { raw: "email=ada&guests=none&note=%3Cb%3Ehello", headers: FORM };
			const page = await world.anyone.call("POST", getFormPath(world, "visit"), sent);
			assert.equal(page.status, 422);
			assert.match(String(page.body), /value="ada"/);
			assert.match(String(page.body), /&lt;b&gt;hello/);
			assert.doesNotMatch(String(page.body), /<b>hello/);
			assert.match(String(page.body), /aria-invalid="true"/);
		},
	},
	{
		name: "a form shows what respond gives, and a failed run is a page with 500",
		cites: [],
		async run(world) {
			const answered = {
				...form("visit"),
				config: { only: { component: "respond", redirect: "https://example.com/thanks" } },
			};
			await save(world, answered);
			const sent = { raw: "email=ada%40example.com&guests=2", headers: FORM };
			const done = await world.anyone.call("POST", getFormPath(world, "visit"), sent);
			assert.deepEqual([done.status, done.headers.get("location")], [303, "https://example.com/thanks"]);
			await save(world, {
				...form("broken"),
				config: { only: { component: "fail", message: "secret reason" } },
			});
			const failed = await world.anyone.call("POST", getFormPath(world, "broken"), sent);
			assert.equal(failed.status, 500);
			assert.doesNotMatch(String(failed.body), /secret reason/);
		},
	},
	{
		name: "a workflow that is no form is not found there, and pages of other origins may not send one",
		cites: [],
		async run(world) {
			await save(world, echo("plain"));
			for (const name of ["plain", "nothing"])
				assert.equal((await world.anyone.call("GET", getFormPath(world, name))).status, 404);
			await save(world, form("visit"));
			const headers = { ...FORM, origin: "https://evil.example" };
			const sent = { raw: "email=ada%40example.com&guests=2", headers };
			assert.equal((await world.anyone.call("POST", getFormPath(world, "visit"), sent)).status, 403);
			const trapped = { raw: "email=ada%40example.com&guests=2&more_about_you=x", headers: FORM };
			assert.equal((await world.anyone.call("POST", getFormPath(world, "visit"), trapped)).status, 200);
		},
	},
	{
		name: "a schema that no form can be drawn from is found at save",
		cites: [],
		async run(world) {
			const options = {
				input_schema: { type: "object", properties: { list: { type: "array", items: { type: "object" } } } },
			};
			const body = form("visit", {}, { options });
			const { diagnostics } = await world.executor.refuse(400, "POST", "/webhooks/named", { body });
			assert.equal(diagnostics?.[0]?.code, "bad_webhook");
		},
	},
];
