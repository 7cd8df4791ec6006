import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readSource } from "@tripline/engine/source";
import { findUnmetNeeds } from "../src/workflows/needs.ts";

const NOTHING = { hasFiles: false, hasDatabases: true, hasMail: true, hasFolders: false };
const ALL = { hasFiles: true, hasDatabases: true, hasMail: true, hasFolders: true };

/** The places of what is missing, such as `a.component`. */
function listNeeds(document: object, provided = NOTHING): string[] {
	const json = { name: "w", triplets: ["input >> then >> a"], ...document };
	const { definition } = readSource({ json } as never, { named: false });
	assert.ok(definition !== null);
	return findUnmetNeeds(definition, provided).map(({ node, path }) => [node ?? [], path].flat(2).join("."));
}

const withNode = (node: object) => ({ config: { a: node } });

describe("what a workflow needs of the service", () => {
	test("components that work with files need a place for them", () => {
		for (const component of ["make_file", "file_keep", "file_list", "file_delete", "file_link"])
			assert.deepEqual(listNeeds(withNode({ component })), ["a.component"], component);
	});

	test("components that can work with files need it only if they do", () => {
		const uses = [
			{ component: "parse", file: "{{input.file}}" },
			{ component: "respond", file: "{{input.file}}" },
			{ component: "http_request", url: "https://example.com", file: "{{input.file}}" },
			{ component: "http_request", url: "https://example.com", response: "file" },
			{ component: "email_send", from: "a@example.com", attachments: ["{{input.file}}"] },
			{
				component: "http_request",
				url: "https://example.com",
				multipart: [{ name: "f", file: "{{input.file}}" }],
			},
		];
		for (const node of uses)
			assert.deepEqual(listNeeds(withNode(node)), ["a.component"], JSON.stringify(node));
		const others = [
			{ component: "parse", format: "csv", text: "a" },
			{ component: "respond", body: 1 },
			{ component: "http_request", url: "https://example.com", response: "json" },
			{ component: "toString" },
		];
		for (const node of others) assert.deepEqual(listNeeds(withNode(node)), [], JSON.stringify(node));
	});

	test("a trigger that takes files or bytes needs it, and so do fields for files", () => {
		for (const accept of [["files"], ["json", "bytes"]])
			assert.deepEqual(listNeeds({ trigger: { type: "webhook", accept } }), ["trigger.accept"]);
		assert.deepEqual(listNeeds({ trigger: { type: "webhook", accept: ["json", "form", "text"] } }), []);
		const properties = {
			one: { type: "object", format: "file" },
			many: { type: "array", items: { type: "object", format: "file" } },
			none: { type: "string", format: "date" },
			odd: true,
		};
		assert.deepEqual(listNeeds({ options: { input_schema: { type: "object", properties } } }), [
			"options.input_schema.properties.one",
			"options.input_schema.properties.many",
		]);
	});

	test("folder needs folders", () => {
		assert.deepEqual(listNeeds(withNode({ component: "folder" })), ["a.component"]);
		assert.deepEqual(listNeeds(withNode({ component: "folder" }), { ...ALL, hasFolders: false }), [
			"a.component",
		]);
	});

	test("sql_query needs databases", () => {
		assert.deepEqual(listNeeds(withNode({ component: "sql_query" }), { ...ALL, hasDatabases: false }), [
			"a.component",
		]);
		const file = withNode({ component: "sql_query", file: "/srv/shop.db", sql: "select 1" });
		assert.deepEqual(listNeeds(file, { ...ALL, hasFolders: false }), ["a.file"]);
		assert.deepEqual(listNeeds(file, ALL), []);
	});

	test("a trigger with email needs mailboxes", () => {
		const document = {
			...withNode({ component: "set" }),
			trigger: { type: "event", email: { credential: "box" } },
		};
		assert.deepEqual(listNeeds(document, { ...ALL, hasMail: false }), ["trigger.email"]);
		assert.deepEqual(listNeeds(document, ALL), []);
	});

	test("email_send needs mail", () => {
		const node = withNode({ component: "email_send" });
		assert.deepEqual(listNeeds(node, { ...ALL, hasMail: false }), ["a.component"]);
		assert.deepEqual(listNeeds(node, ALL), []);
	});

	test("a service that has everything lacks nothing", () => {
		for (const component of ["folder", "make_file", "sql_query"])
			assert.deepEqual(
				listNeeds({ ...withNode({ component }), trigger: { type: "webhook", accept: ["files"] } }, ALL),
				[],
			);
	});
});
