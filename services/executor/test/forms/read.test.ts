import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileInputCheck } from "@tripline/engine/input-schema";
import fc from "fast-check";
import type { FormModel } from "../../src/forms/model.ts";
import { parseForm } from "../../src/forms/parse.ts";
import { listProblems } from "../../src/forms/problems.ts";
import { readFormInput } from "../../src/forms/read.ts";
import { parseFormText } from "../../src/http/bodies/form.ts";

function toModel(schema: JsonObject): FormModel {
	const model = parseForm(schema);
	assert.ok("items" in model, JSON.stringify(model));
	return model;
}

const read = (schema: JsonObject, sent: string) =>
	readFormInput(toModel(schema), parseFormText(sent, "form"));

/** What is read for one field: the input, or the problem. */
function readOne(property: Json, sent: string, required: string[] = []) {
	const { input, problems } = read({ type: "object", properties: { a: property }, required }, sent);
	return problems.size > 0 ? problems.get("a") : input;
}

describe("what a form sends", () => {
	const cases: readonly (readonly [Json, string, Json | undefined])[] = [
		[{ type: "string" }, "a=x", { a: "x" }],
		[{ type: "string" }, "a=+x+", { a: " x " }],
		[{ type: "string", format: "email" }, "a=+x%40y.z", { a: "x@y.z" }],
		[{ type: "string", format: "textarea" }, "a=x%0D%0Ay", { a: "x\ny" }],
		[{ type: "string" }, "a=1&a=2", "single"],
		[{ type: "number" }, "a=1.50", { a: 1.5 }],
		[{ type: "number" }, "a=-2e3", { a: -2000 }],
		[{ type: "number" }, "a=x", "number"],
		[{ type: "number" }, "a=0x10", "number"],
		[{ type: "number" }, "a=1e999", "number"],
		[{ type: "number" }, "a=Infinity", "number"],
		[{ type: "integer" }, "a=+7", { a: 7 }],
		[{ type: "integer" }, "a=7.5", "whole"],
		[{ type: "boolean" }, "a=true", { a: true }],
		[{ type: "boolean" }, "", { a: false }],
		[{ const: 5 }, "a=6", { a: 5 }],
		[{ enum: [1, 2] }, "a=2", { a: 2 }],
		[{ enum: [true, false] }, "a=false", { a: false }],
		[{ enum: [1, 2] }, "a=3", "choice"],
		[{ items: { enum: ["x", 2, "z"] } }, "a=z&a=2", { a: [2, "z"] }],
		[{ items: { enum: ["x"] } }, "a=y", "choice"],
		[{ items: { type: "string" } }, "a=x%0D%0A%0D%0A+y+%0Az", { a: ["x", "y", "z"] }],
		[{ items: { type: "number" } }, "a=1%0A2.5", { a: [1, 2.5] }],
		[{ items: { type: "number" } }, "a=1%0Ax", "lineNumber"],
		[{ format: "date" }, "a=2026-01-31", { a: "2026-01-31" }],
		[{ format: "date" }, "a=tomorrow", "date"],
		[{ format: "time" }, "a=09:30", { a: "09:30" }],
		[{ format: "time" }, "a=25:00", "time"],
		[{ format: "date-time" }, "a=2026-01-31T09:30", { a: "2026-01-31T09:30:00Z" }],
		[{ format: "date-time" }, "a=2026-01-31T09:30:05%2B08:00", { a: "2026-01-31T09:30:05+08:00" }],
		[{ format: "date-time" }, "a=soon", "dateTime"],
	];
	for (const [property, sent, expected] of cases) {
		test(`${JSON.stringify(property)} reads ${sent || "nothing"}`, () => {
			assert.deepEqual(readOne(property, sent), expected);
		});
	}

	test("is missing where an optional field is empty", () => {
		for (const property of [
			{ type: "string" },
			{ type: "number" },
			{ enum: [1] },
			{ items: { enum: [1] } },
			{ items: {} },
			{ format: "date" },
			{ type: "boolean", const: true },
		]) {
			assert.deepEqual(readOne(property, "a="), {}, JSON.stringify(property));
			assert.deepEqual(readOne(property, ""), {}, JSON.stringify(property));
		}
	});

	test("is a problem where a required field is empty, unless null or an empty list will do", () => {
		assert.equal(readOne({ type: "string" }, "a=", ["a"]), "required");
		assert.equal(readOne({ enum: [1] }, "", ["a"]), "choice");
		assert.equal(readOne({ type: "boolean", const: true }, "", ["a"]), "mustCheck");
		assert.deepEqual(readOne({ type: ["string", "null"] }, "a=", ["a"]), { a: null });
		assert.deepEqual(readOne({ items: {} }, "a=", ["a"]), { a: [] });
		assert.deepEqual(readOne({ items: { enum: [1] } }, "", ["a"]), { a: [] });
	});

	test("holds the fields of a group, or leaves an empty group out", () => {
		const group = (required: string[]) => ({
			type: "object",
			properties: {
				home: {
					type: "object",
					properties: { city: {}, is_new: { type: "boolean" }, kind: { const: "home" } },
					required: ["city"],
				},
			},
			required,
		});
		assert.deepEqual(read(group([]), "home.city=").input, {});
		assert.deepEqual(read(group([]), "home.city=Taipei").input, {
			home: { city: "Taipei", is_new: false, kind: "home" },
		});
		assert.deepEqual([...read(group([]), "home.is_new=true").problems], [["home.city", "required"]]);
		assert.deepEqual([...read(group(["home"]), "").problems], [["home.city", "required"]]);
	});

	test("cannot set what the form does not have", () => {
		const { input } = read({ type: "object", properties: { a: {} } }, "a=1&b=2&__proto__=3");
		assert.deepEqual(input, { a: "1" });
		assert.equal(Object.getPrototypeOf(input), Object.prototype);
	});

	test("shows a program by the field that people do not see", () => {
		const schema = { type: "object", properties: {} };
		assert.equal(read(schema, "more_about_you=").isTrapped, false);
		assert.equal(read(schema, "more_about_you=x").isTrapped, true);
	});

	test("of any text is read or is a problem", () => {
		const properties = Object.fromEntries(cases.map(([property], index) => [`f${index}`, property]));
		const model = toModel({ type: "object", properties });
		const sent = fc.dictionary(fc.constantFrom(...Object.keys(properties)), fc.array(fc.string()));
		fc.assert(
			fc.property(sent, (fields) => {
				const { input } = readFormInput(model, new Map(Object.entries(fields)));
				assert.deepEqual(JSON.parse(JSON.stringify(input)), input);
			}),
		);
	});
});

describe("the problems of a form", () => {
	const schema: JsonObject = {
		type: "object",
		properties: {
			age: { type: "integer", minimum: 18 },
			mail: { type: "string", format: "email" },
			tags: { type: "array", items: { type: "string", maxLength: 3 }, minItems: 1 },
			home: { type: "object", properties: { city: { type: "string", minLength: 2 } } },
		},
		required: ["age", "mail", "tags"],
		additionalProperties: false,
	};

	function list(sent: string, language: "en" | "zh-Hant") {
		const model = toModel(schema);
		const check = compileInputCheck(schema);
		assert.ok(typeof check === "function");
		const { input, problems } = readFormInput(model, parseFormText(sent, "form"));
		return listProblems(model, problems, check(input), language).map(
			({ field, message }) => `${field?.name}: ${message}`,
		);
	}

	const sent = "age=7&mail=x&tags=abcd&home.city=T";

	test("are those of the schema, beside the fields", () => {
		assert.deepEqual(list(sent, "en"), [
			"age: Must be at least 18.",
			"mail: Must be an e-mail address such as name@example.com.",
			"tags: Must be at most 3 characters long.",
			"home.city: Must be at least 2 characters long.",
		]);
	});

	test("are in the language of the page", () => {
		assert.deepEqual(list(sent, "zh-Hant"), [
			"age: 不能小於 18。",
			"mail: 請輸入電子郵件地址，例如 name@example.com。",
			"tags: 最多 3 個字元。",
			"home.city: 至少需要 2 個字元。",
		]);
	});

	test("are one for each field: what was typed counts before the schema", () => {
		assert.deepEqual(list("age=x&mail=", "en"), [
			"age: Enter a whole number.",
			"mail: Fill in this field.",
			"tags: Give at least 1.",
		]);
	});

	test("that belong to no field are about the form", () => {
		const model = toModel(schema);
		const issues = [
			{ path: "", message: "matches none of the alternatives" },
			{ path: "other", message: "is required" },
		];
		assert.deepEqual(listProblems(model, new Map(), issues, "en"), [
			{ field: null, message: "Matches none of the alternatives." },
			{ field: null, message: "other: Fill in this field." },
		]);
	});
});
