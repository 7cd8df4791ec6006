import assert from "node:assert/strict";
import { test } from "node:test";
import { isTextType, listFileFields, listFileValues } from "../src/file-values.ts";

const file = (letter: string, name = `${letter}.txt`) => ({
	$file: letter.repeat(22),
	name,
	type: "text/plain",
	size: 3,
});

test("the files of a value are listed once, in the order in which they stand there", () => {
	const value = {
		first: [file("b"), "text", { deep: file("a") }],
		second: file("b", "again.txt"),
		third: null,
	};
	assert.deepEqual(listFileValues(value), [file("b"), file("a")]);
	assert.deepEqual(listFileValues(file("c")), [file("c")]);
	assert.deepEqual(listFileValues({ $file: "too short" }), []);
	assert.deepEqual(listFileValues("text"), []);
});

test("at most as many files are listed as asked for", () => {
	const many = Array.from({ length: 30 }, (_, index) => file(String.fromCharCode(65 + index)));
	assert.equal(listFileValues(many, 10).length, 10);
});

test("a value that is nested deeper than calls may be does not end the search", () => {
	let deep: unknown = file("d");
	for (let index = 0; index < 200_000; index++) deep = [deep];
	assert.deepEqual(listFileValues(deep), [file("d")]);
});

test("what a file value lacks is filled in", () => {
	const $file = "e".repeat(22);
	const filled = { $file, name: $file, type: "application/octet-stream", size: 0 };
	assert.deepEqual(listFileValues({ $file, name: 7, size: "large" }), [filled]);
});

test("the file fields of a schema are those with format file, alone or in a list", () => {
	const schema = {
		type: "object",
		required: ["report"],
		properties: {
			report: { type: "object", format: "file", title: "Report", contentMediaType: ".pdf" },
			photos: { type: "array", items: { type: "object", format: "file", contentMediaType: "image/*" } },
			name: { type: "string" },
		},
	};
	assert.deepEqual(listFileFields(schema), [
		{ name: "report", title: "Report", isList: false, isRequired: true, accept: ".pdf" },
		{ name: "photos", title: null, isList: true, isRequired: false, accept: "image/*" },
	]);
	assert.deepEqual(listFileFields(null), []);
	assert.deepEqual(listFileFields({ properties: { a: true } }), []);
});

test("types of text are recognized, with their parameters", () => {
	for (const type of ["text/plain; charset=utf-8", "application/json", "image/svg+xml", "application/yaml"])
		assert.equal(isTextType(type), true, type);
	for (const type of ["application/pdf", "image/png", "application/json2", "application/zip; a=+json"])
		assert.equal(isTextType(type), false, type);
});
